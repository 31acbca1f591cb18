// SPDX-License-Identifier: Apache-2.0
// How K-vectors are laid out for the kernels: padded with zeros to a whole number of lane groups.
#pragma once

#include <cstddef>

namespace medley::kernels {

/// K-vectors are padded to a multiple of this many values, float or double.
inline constexpr std::size_t kLanes = 8;

[[nodiscard]] constexpr std::size_t padded(std::size_t components) {
  return (components + kLanes - 1) / kLanes * kLanes;
}

// Prefetches numbers that will be needed soon; rows of a large table lie anywhere in it.

template <class T>
inline void prefetch(const T* from, std::size_t count) {
  constexpr std::size_t kLine = 64 / sizeof(T);
  for (std::size_t k = 0; k < count; k += kLine) __builtin_prefetch(from + k);
}

}  // namespace medley::kernels
