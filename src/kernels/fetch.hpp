// SPDX-License-Identifier: Apache-2.0
// Asks for numbers that will be needed soon: rows of a large table lie anywhere in it.
#pragma once

#include <cstddef>

namespace medley::kernels {

template <class T>
inline void fetch(const T* from, std::size_t count) {
  constexpr std::size_t kLine = 64 / sizeof(T);
  for (std::size_t k = 0; k < count; k += kLine) __builtin_prefetch(from + k);
}

}  // namespace medley::kernels
