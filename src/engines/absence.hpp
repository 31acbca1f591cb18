// SPDX-License-Identifier: Apache-2.0
// The probability that none of some observations is a component's, prod_o (1 - phi_ok)^w_o.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace medley::engines {

/// none[k] *= (1 - phi[k])^weight for k < count, the weight rounded to a whole number, at least 1.
inline void multiply_absence(const float* phi, double weight, std::size_t count, float* none) {
  auto power = static_cast<unsigned>(std::clamp(std::round(weight), 1.0, 1e6));
  if (power == 1) {
    for (std::size_t k = 0; k < count; ++k) none[k] *= 1.0F - phi[k];
    return;
  }
  for (std::size_t k = 0; k < count; ++k) {
    float square = 1.0F - phi[k], product = 1.0F;
    for (unsigned left = power; left > 0; left >>= 1U, square *= square) {
      if ((left & 1U) != 0) product *= square;
    }
    none[k] *= product;
  }
}

}  // namespace medley::engines
