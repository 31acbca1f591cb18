// SPDX-License-Identifier: Apache-2.0
// Integrals by the trapezoidal rule, which is exact to rounding for smooth functions that vanish at
// both ends.
#pragma once

#include <cstddef>

namespace medley::test {

template <class F>
double integral(double from, double to, F&& f, std::size_t steps = 4000) {
  const double step = (to - from) / static_cast<double>(steps);
  double sum = 0;
  for (std::size_t i = 0; i <= steps; ++i) sum += f(from + static_cast<double>(i) * step);
  return sum * step;
}

}  // namespace medley::test
