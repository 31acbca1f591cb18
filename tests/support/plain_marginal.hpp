// SPDX-License-Identifier: Apache-2.0
// The log marginal likelihood of rows that share one cluster, from the cells themselves: every
// family's closed form written down once more, with the base measure, from (x_1 .. x_m) and not
// from running sums. `prior` is that of one feature, in the order of families/conjugate.hpp; of a
// level or word, its imagined observations.
#pragma once

#include <cmath>
#include <map>
#include <numbers>
#include <numeric>
#include <stdexcept>
#include <string>
#include <vector>

#include "families/registry.hpp"
#include "medley/data.hpp"

namespace medley::test {

/// A prior as Conjugate takes it, and as plain_marginal does.
struct GivenPrior {
  std::vector<double> option, plain;
};

/// A prior for a block that is not the default one.
inline GivenPrior some_prior(const Block& block) {
  if (block.encoding == Encoding::tokens)
    return {{3.5}, std::vector<double>(block.slots(), 3.5 / static_cast<double>(block.slots()))};
  if (block.encoding == Encoding::levels) {
    std::vector<double> each;
    for (std::size_t s = 0; s < block.slots(); ++s)
      each.push_back(0.5 + 0.25 * static_cast<double>(s % 3));
    return {each, each};
  }
  const bool four = families::find(block.family)->refusal(-1).empty() ||
                    !families::find(block.family)->refusal(0).empty();
  const std::vector<double> numbers =
      four ? std::vector<double>{0.7, 0.4, 1.8, 0.9} : std::vector<double>{1.3, 0.6};
  return {numbers, numbers};
}

/// Of the numbers of one feature, their shift taken off.
inline double plain_number_marginal(const std::string& family, std::vector<double> x,
                                    const std::vector<double>& prior) {
  const double m = static_cast<double>(x.size());
  if (x.empty()) return 0;
  double base = 0;
  if (family == "lognormal") {
    for (double& v : x) {
      v = std::log(v);
      base -= v;
    }
  }
  const double sum = std::accumulate(x.begin(), x.end(), 0.0);
  if (family == "gaussian" || family == "lognormal") {
    const double m0 = prior[0], kappa0 = prior[1], a0 = prior[2], b0 = prior[3];
    double squares = 0;
    for (const double v : x) squares += (v - sum / m) * (v - sum / m);
    const double a = a0 + m / 2, kappa = kappa0 + m;
    const double b = b0 + squares / 2 + kappa0 * m * (sum / m - m0) * (sum / m - m0) / (2 * kappa);
    return base + std::lgamma(a) - std::lgamma(a0) + a0 * std::log(b0) - a * std::log(b) +
           0.5 * std::log(kappa0 / kappa) - m / 2 * std::log(2 * std::numbers::pi);
  }
  const double a = prior[0], b = prior[1];
  if (family == "poisson") {
    for (const double v : x) base -= std::lgamma(v + 1);
    return base + a * std::log(b) - std::lgamma(a) + std::lgamma(a + sum) -
           (a + sum) * std::log(b + m);
  }
  if (family == "exponential")
    return a * std::log(b) - std::lgamma(a) + std::lgamma(a + m) - (a + m) * std::log(b + sum);
  if (family == "geometric")
    return std::lgamma(a + m) + std::lgamma(b + sum) - std::lgamma(a + b + m + sum) -
           std::lgamma(a) - std::lgamma(b) + std::lgamma(a + b);
  throw std::logic_error("write down the marginal of " + family + " in plain_marginal.hpp");
}

/// Of a feature's slots: log B(a + c) - log B(a), for a sequence of observations.
inline double plain_slot_marginal(const std::vector<double>& count, const std::vector<double>& a) {
  double sum = 0, all = 0, imagined = 0;
  for (std::size_t s = 0; s < count.size(); ++s) {
    sum += std::lgamma(a[s] + count[s]) - std::lgamma(a[s]);
    all += count[s];
    imagined += a[s];
  }
  return sum + std::lgamma(imagined) - std::lgamma(imagined + all);
}

/// Of all cells of the given rows. `prior`: of a number block those of every feature; of another
/// the imagined observations of each of its slots.
inline double plain_marginal(const Block& block, const std::vector<std::size_t>& rows,
                             const std::vector<double>& prior) {
  double sum = 0;
  const std::size_t features = block.features.size();
  std::vector<double> count(block.slots(), 0.0);
  std::vector<std::vector<double>> numbers(features);
  for (const std::size_t row : rows) {
    for (auto c = block.row_start[row]; c < block.row_start[row + 1]; ++c) {
      const float weight = block.weight_of(c);
      count[block.slot[c]] += static_cast<double>(weight);
      for (float i = 0; block.encoding == Encoding::real && i < weight; ++i)
        numbers[block.slot[c]].push_back(block.value[c] - block.features[block.slot[c]].shift);
    }
  }
  for (std::size_t f = 0; f < features; ++f) {
    if (block.encoding == Encoding::real) {
      sum += plain_number_marginal(block.family, numbers[f], prior);
      continue;
    }
    const auto begin = block.first_slot[f], end = block.first_slot[f + 1];
    sum += plain_slot_marginal({count.begin() + begin, count.begin() + end},
                               {prior.begin() + begin, prior.begin() + end});
  }
  return sum;
}

}  // namespace medley::test
