// SPDX-License-Identifier: Apache-2.0
// log sum_k exp(x_k) and softmax, without overflow.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>

namespace medley::math {

/// -infinity for an empty or all -infinity span.
[[nodiscard]] inline double log_sum_exp(std::span<const double> x) {
  double largest = -std::numeric_limits<double>::infinity();
  for (const double v : x) largest = std::max(largest, v);
  if (!std::isfinite(largest)) return largest;
  double sum = 0;
  for (const double v : x) sum += std::exp(v - largest);
  return largest + std::log(sum);
}

/// Replaces x by exp(x) / sum exp(x); returns log_sum_exp of what it was.
inline double softmax(std::span<double> x) {
  double largest = -std::numeric_limits<double>::infinity();
  for (const double v : x) largest = std::max(largest, v);
  double sum = 0;
  for (double& v : x) sum += (v = std::exp(v - largest));
  for (double& v : x) v /= sum;
  return largest + std::log(sum);
}

}  // namespace medley::math
