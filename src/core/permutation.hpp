// SPDX-License-Identifier: Apache-2.0
// A random order of 0 .. n-1 that takes no memory: place i holds a function of (seed, purpose, i).
// A Feistel network permutes the smallest power of four that holds n (Luby and Rackoff 1988); what
// it sends outside 0 .. n-1 is sent on until it comes back in.
#pragma once

#include <array>
#include <cstdint>

namespace medley::core {

class Permutation {
 public:
  /// n > 0. `purpose` separates uses of one seed (passes over the data).
  Permutation(std::uint64_t n, std::uint64_t seed, std::uint64_t purpose);
  /// The element at place i < n.
  [[nodiscard]] std::uint64_t operator()(std::uint64_t i) const;
  [[nodiscard]] std::uint64_t size() const { return size_; }

 private:
  static constexpr std::size_t kRounds = 6;

  std::uint64_t size_;
  unsigned half_ = 4;  // bits of half an element; at least 4, so that few elements mix well too
  std::array<std::uint64_t, kRounds> key_;
};

}  // namespace medley::core
