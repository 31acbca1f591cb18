// SPDX-License-Identifier: Apache-2.0
#include "choose/paired.hpp"

#include <algorithm>
#include <cmath>

namespace medley::choose {

MeanError weighted_mean(std::span<const double> values, std::span<const double> weights) {
  double total = 0, sum = 0, rows = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (!(weights[i] > 0)) continue;
    ++rows;
    total += weights[i];
    sum += weights[i] * values[i];
  }
  if (rows == 0) return {};
  const double mean = sum / total;
  double squares = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const double off = weights[i] > 0 ? weights[i] * (values[i] - mean) : 0.0;
    squares += off * off;
  }
  return {mean, rows > 1 ? std::sqrt(squares * rows / (rows - 1)) / total : 0.0};
}

MeanError weighted_difference(std::span<const double> a, std::span<const double> b,
                              std::span<const double> weights) {
  std::vector<double> difference(a.begin(), a.end());
  for (std::size_t i = 0; i < difference.size(); ++i) difference[i] -= b[i];
  return weighted_mean(difference, weights);
}

Behind behind_the_best(const std::vector<std::vector<double>>& scores,
                       std::span<const double> weights) {
  Behind out;
  std::vector<double> mean;
  for (const auto& of_rows : scores) mean.push_back(weighted_mean(of_rows, weights).mean);
  out.best = static_cast<std::size_t>(std::ranges::max_element(mean) - mean.begin());
  for (const auto& of_rows : scores)
    out.by.push_back(weighted_difference(scores[out.best], of_rows, weights));
  return out;
}

}  // namespace medley::choose
