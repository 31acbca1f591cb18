// SPDX-License-Identifier: Apache-2.0
#include "math/descriptive.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "medley/error.hpp"

namespace medley::math {

double quantile(std::span<const double> sorted, double p) {
  const double at = p * static_cast<double>(sorted.size() - 1);
  const auto below = integer_of<std::size_t>(at);
  const std::size_t above = std::min(below + 1, sorted.size() - 1);
  return std::lerp(sorted[below], sorted[above], at - static_cast<double>(below));
}

double false_discovery_level(std::vector<double> p, double rate) {
  std::ranges::sort(p);
  const auto count = static_cast<double>(p.size());
  for (std::size_t i = p.size(); i > 0; --i) {
    if (p[i - 1] <= rate * static_cast<double>(i) / count) return p[i - 1];
  }
  return -1;
}

}  // namespace medley::math
