// SPDX-License-Identifier: Apache-2.0
// Plain sums over vectors, in order: the same bits everywhere.
#pragma once

#include <cmath>
#include <cstddef>
#include <span>

namespace medley::math {

[[nodiscard]] inline double sum(std::span<const double> a) {
  double total = 0;
  for (const double value : a) total += value;
  return total;
}

/// sum_i a_i b_i; both are equally long.
[[nodiscard]] inline double dot(std::span<const double> a, std::span<const double> b) {
  double total = 0;
  for (std::size_t i = 0; i < a.size(); ++i) total += a[i] * b[i];
  return total;
}

/// -sum_k p_k log p_k of a distribution, in nats.
[[nodiscard]] inline double entropy(std::span<const double> share) {
  double h = 0;
  for (const double p : share) h -= p > 0 ? p * std::log(p) : 0.0;
  return h;
}

}  // namespace medley::math
