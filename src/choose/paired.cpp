// SPDX-License-Identifier: Apache-2.0
#include "choose/paired.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace medley::choose {
namespace {

// One row more or less is exactly one standard error.
constexpr double kRounding = 1 + 1e-9;

// a - b, row by row.
MeanError difference(const std::vector<double>& a, const std::vector<double>& b) {
  std::vector<double> values(a.size());
  for (std::size_t i = 0; i < a.size(); ++i) values[i] = a[i] - b[i];
  return mean_error(values);
}

}  // namespace

MeanError mean_error(std::span<const double> values) {
  const auto n = static_cast<double>(values.size());
  if (values.empty()) return {};
  MeanError out;
  out.mean = std::accumulate(values.begin(), values.end(), 0.0) / n;
  double squares = 0;
  for (const double value : values) squares += (value - out.mean) * (value - out.mean);
  out.error = values.size() < 2 ? 0 : std::sqrt(squares / (n * (n - 1)));
  return out;
}

std::size_t best_of(const std::vector<HeldOut>& candidates) {
  std::size_t leader = 0;
  for (std::size_t c = 1; c < candidates.size(); ++c) {
    if (mean_error(candidates[c].right).mean > mean_error(candidates[leader].right).mean)
      leader = c;
  }
  std::size_t best = leader;
  for (std::size_t c = 0; c < candidates.size(); ++c) {
    const MeanError behind = difference(candidates[leader].right, candidates[c].right);
    if (behind.mean > behind.error * kRounding) continue;
    const double loss = mean_error(candidates[c].loss).mean;
    const double least = mean_error(candidates[best].loss).mean;
    if (loss < least || (loss == least && c < best)) best = c;
  }
  return best;
}

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
