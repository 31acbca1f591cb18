// SPDX-License-Identifier: Apache-2.0
#include "math/log_mean.hpp"

#include <algorithm>
#include <cmath>

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

}  // namespace medley::math
