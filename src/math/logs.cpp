// SPDX-License-Identifier: Apache-2.0
#include "math/logs.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace medley::math {

LogMean log_mean(std::span<const double> logs) {
  const auto count = static_cast<double>(logs.size());
  const double top = *std::ranges::max_element(logs);
  double sum = 0, squares = 0;
  for (const double w : logs) {
    const double relative = std::exp(w - top);
    sum += relative;
    squares += relative * relative;
  }
  const double mean = sum / count;
  const double variance = std::max(0.0, squares / count - mean * mean) / std::max(1.0, count - 1);
  return {top + std::log(mean), std::sqrt(variance) / mean, sum * sum / squares};
}

std::vector<double> centred_logs(std::span<const double> counts, std::span<const double> weight,
                                 double little) {
  if (weight.empty()) return {};
  const std::size_t rows = weight.size(), columns = counts.size() / rows;
  const double total = std::max(std::accumulate(weight.begin(), weight.end(), 0.0), 1e-300);
  std::vector<double> out(counts.size()), mean(columns, 0.0);
  for (std::size_t row = 0; row < rows; ++row) {
    double level = 0;
    for (std::size_t k = 0; k < columns; ++k)
      level += out[row * columns + k] = std::log(counts[row * columns + k] + little);
    for (std::size_t k = 0; k < columns; ++k) {
      out[row * columns + k] -= level / static_cast<double>(columns);
      mean[k] += weight[row] / total * out[row * columns + k];
    }
  }
  for (std::size_t i = 0; i < out.size(); ++i) out[i] -= mean[i % columns];
  return out;
}

}  // namespace medley::math
