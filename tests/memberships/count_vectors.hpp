// SPDX-License-Identifier: Apache-2.0
// Bounds of hand-made factorisations whose value an independent program gives. The table of rates
// is Gamma(g, h); here it is written as proportions times a scale, as the program has it.
#pragma once

#include <cmath>
#include <vector>

#include "math/special.hpp"
#include "memberships/membership.hpp"

namespace medley::test {

/// Four words, four documents, the last of them empty.
inline const std::vector<std::vector<double>> kCounts = {
    {3, 0, 1, 0}, {0, 2, 2, 5}, {1, 1, 1, 1}, {0, 0, 0, 0}};

/// q of a rate table: g of 4 words x 2 components, h of the components, prior Gamma(c0/4, c0).
struct RateTable {
  std::vector<std::vector<double>> g = {{2, 0.5}, {0.5, 2}, {1, 1}, {0.4, 3}};
  std::vector<double> h = {3, 4};
  double c0 = 1.6;

  [[nodiscard]] double total(std::size_t k) const {
    double sum = 0;
    for (const auto& row : g) sum += row[k];
    return sum;
  }
  /// Expected log proportion of a word, E log Dirichlet(g_k).
  [[nodiscard]] double log_proportion(std::size_t v, std::size_t k) const {
    return math::digamma(g[v][k]) - math::digamma(total(k));
  }
  /// -KL(Dirichlet(g_k) || Dirichlet(c0/4)), summed over components.
  [[nodiscard]] double table_part() const {
    double sum = 0;
    for (std::size_t k = 0; k < 2; ++k) {
      sum += std::lgamma(c0) - std::lgamma(total(k));
      for (std::size_t v = 0; v < 4; ++v) {
        sum +=
            std::lgamma(g[v][k]) - std::lgamma(c0 / 4) + (c0 / 4 - g[v][k]) * log_proportion(v, k);
      }
    }
    return sum;
  }
  /// Likelihood rows of a document's words in double, count x 8, not scaled.
  [[nodiscard]] std::vector<double> rows(const std::vector<double>& document) const {
    std::vector<double> out;
    for (std::size_t v = 0; v < document.size(); ++v) {
      if (document[v] <= 0) continue;
      for (std::size_t k = 0; k < 8; ++k)
        out.push_back(k < 2 ? std::exp(log_proportion(v, k)) : 0.0);
    }
    return out;
  }
};

/// sum_o w_o log sum_k exp(log_weights_k) l_ok of a document.
inline double data_part(const RateTable& table, const std::vector<double>& document,
                        const std::vector<double>& log_weights) {
  double sum = 0;
  for (std::size_t v = 0; v < document.size(); ++v) {
    double p = 0;
    for (std::size_t k = 0; k < 2; ++k) p += std::exp(log_weights[k] + table.log_proportion(v, k));
    if (document[v] > 0) sum += document[v] * std::log(p);
  }
  return sum;
}

/// sum log X!, which the membership leaves out.
inline double log_factorials(const std::vector<double>& document) {
  double sum = 0;
  for (const double x : document) sum += std::lgamma(x + 1);
  return sum;
}

}  // namespace medley::test
