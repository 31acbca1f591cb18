// SPDX-License-Identifier: Apache-2.0
// From numbers with a point to whole ones. A plain cast of a number that is out of range, or none,
// is undefined: counts of 1e20 once became writes beyond a table's end. So there are no plain casts
// but these two (tools/double_casts.py looks for them).
#pragma once

#include <concepts>
#include <limits>
#include <stdexcept>

namespace medley {

/// The least and the first too large number of a type; both are exact.
template <std::integral T>
inline constexpr double kLeastOf = static_cast<double>(std::numeric_limits<T>::min());
template <std::integral T>
inline constexpr double kBeyond = 2.0 * static_cast<double>(std::numeric_limits<T>::max() / 2 + 1);

/// The number without its fraction. Throws std::out_of_range for what does not fit, or is NaN.
template <std::integral T>
[[nodiscard]] constexpr T integer_of(double number) {
  const bool above = number >= kLeastOf<T> || number > kLeastOf<T> - 1.0;  // -0.5 is 0
  if (!(above && number < kBeyond<T>))
    throw std::out_of_range("a number is beyond what can be counted");
  return static_cast<T>(number);
}

/// The number without its fraction, or the end of the range that it is beyond; 0 for NaN.
template <std::integral T>
[[nodiscard]] constexpr T nearest_integer_of(double number) {
  if (number != number) return 0;
  if (number <= kLeastOf<T>) return std::numeric_limits<T>::min();
  if (number >= kBeyond<T>) return std::numeric_limits<T>::max();
  return static_cast<T>(number);
}

}  // namespace medley
