// SPDX-License-Identifier: Apache-2.0
// The exact likelihood of a row under mixed membership, by the count recursion: theta integrates
// out and p(z) depends on z only through the counts n, so
//
//   p(x) = sum_n exp(lnB(alpha + n) - lnB(alpha)) S(n),   S = coefficients of prod_o (sum_k l_ok
//   t_k)^w_o
#pragma once

#include <cmath>
#include <map>
#include <vector>

#include "math/dirichlet.hpp"

namespace medley::test {

/// rows[o][k] = l_ok, weight[o] a whole number.
inline double exact_log_likelihood(const std::vector<std::vector<double>>& rows,
                                   const std::vector<int>& weight,
                                   const std::vector<double>& alpha) {
  std::map<std::vector<int>, double> terms = {{std::vector<int>(alpha.size(), 0), 1.0}};
  for (std::size_t o = 0; o < rows.size(); ++o) {
    for (int copy = 0; copy < weight[o]; ++copy) {
      std::map<std::vector<int>, double> next;
      for (const auto& [n, value] : terms) {
        for (std::size_t k = 0; k < alpha.size(); ++k) {
          std::vector<int> more = n;
          ++more[k];
          next[more] += value * rows[o][k];
        }
      }
      terms.swap(next);
    }
  }
  double p = 0;
  for (const auto& [n, value] : terms) {
    std::vector<double> posterior = alpha;
    for (std::size_t k = 0; k < alpha.size(); ++k) posterior[k] += n[k];
    p += value * std::exp(math::log_beta(posterior) - math::log_beta(alpha));
  }
  return std::log(p);
}

}  // namespace medley::test
