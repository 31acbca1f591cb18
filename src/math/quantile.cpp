// SPDX-License-Identifier: Apache-2.0
#include "math/quantile.hpp"

#include <algorithm>
#include <cmath>

#include "medley/error.hpp"

namespace medley::math {

double quantile(std::span<const double> sorted, double p) {
  const double at = p * static_cast<double>(sorted.size() - 1);
  const auto below = integer_of<std::size_t>(at);
  const std::size_t above = std::min(below + 1, sorted.size() - 1);
  return std::lerp(sorted[below], sorted[above], at - static_cast<double>(below));
}

}  // namespace medley::math
