// SPDX-License-Identifier: Apache-2.0
#include "math/false_discovery.hpp"

#include <algorithm>
#include <cstddef>

namespace medley::math {

double false_discovery_level(std::vector<double> p, double rate) {
  std::ranges::sort(p);
  const auto count = static_cast<double>(p.size());
  for (std::size_t i = p.size(); i > 0; --i) {
    if (p[i - 1] <= rate * static_cast<double>(i) / count) return p[i - 1];
  }
  return -1;
}

}  // namespace medley::math
