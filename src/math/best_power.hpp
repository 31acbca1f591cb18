// SPDX-License-Identifier: Apache-2.0
// A search over powers of a step: for a scale of which only values of a function are to be had, and
// each of them is dear.
#pragma once

#include <initializer_list>

namespace medley::math {

/// The power of `step` (above 1) at which `value` is largest: from 1 upwards for as long as it
/// grows, or else downwards; at most `most` steps.
template <class Value>
[[nodiscard]] double best_power(double step, int most, const Value& value) {
  double best_factor = 1;
  double best = value(1.0);
  for (const double times : {step, 1 / step}) {
    double factor = times;
    for (int i = 0; i < most; ++i, factor *= times) {
      const double there = value(factor);
      if (there <= best) break;
      best = there;
      best_factor = factor;
    }
    if (best_factor != 1) break;  // it went up: no need to try the other way
  }
  return best_factor;
}

}  // namespace medley::math
