// SPDX-License-Identifier: Apache-2.0
#include "core/permutation.hpp"

#include "core/rng.hpp"

namespace medley::core {
namespace {

// The finaliser of SplitMix64 (Steele, Lea and Flood 2014): every bit of x changes half of the
// result's.
std::uint64_t mixed(std::uint64_t x) {
  x = (x ^ (x >> 30U)) * 0xBF58476D1CE4E5B9ULL;
  x = (x ^ (x >> 27U)) * 0x94D049BB133111EBULL;
  return x ^ (x >> 31U);
}

}  // namespace

Permutation::Permutation(std::uint64_t n, std::uint64_t seed, std::uint64_t purpose) : size_(n) {
  while (half_ < 32 && (std::uint64_t{1} << (2 * half_)) < n) ++half_;
  Rng rng(seed, purpose);
  for (std::uint64_t& key : key_)
    key = (static_cast<std::uint64_t>(rng.bits()) << 32U) | rng.bits();
}

std::uint64_t Permutation::operator()(std::uint64_t i) const {
  const std::uint64_t mask = (std::uint64_t{1} << half_) - 1;
  do {
    std::uint64_t left = i >> half_, right = i & mask;
    for (const std::uint64_t key : key_) {
      const std::uint64_t next = left ^ (mixed(right + key) & mask);
      left = right;
      right = next;
    }
    i = (left << half_) | right;
  } while (i >= size_);
  return i;
}

}  // namespace medley::core
