// SPDX-License-Identifier: Apache-2.0
// A std::vector that begins at a cache line. malloc aligns to 16 bytes; then half of all 32-byte
// vector loads would straddle two lines.
#pragma once

#include <cstddef>
#include <new>
#include <vector>

namespace medley::core {

inline constexpr std::size_t kCacheLine = 64;  ///< bytes

template <class T>
struct AlignedAllocator {
  using value_type = T;
  AlignedAllocator() = default;
  template <class U>
  explicit AlignedAllocator(const AlignedAllocator<U>& /*other*/) {}

  [[nodiscard]] T* allocate(std::size_t count) {
    return static_cast<T*>(::operator new(count * sizeof(T), std::align_val_t{kCacheLine}));
  }
  void deallocate(T* at, std::size_t count) noexcept {
    ::operator delete(at, count * sizeof(T), std::align_val_t{kCacheLine});
  }
  friend bool operator==(const AlignedAllocator&, const AlignedAllocator&) { return true; }
};

template <class T>
using AlignedVector = std::vector<T, AlignedAllocator<T>>;

}  // namespace medley::core
