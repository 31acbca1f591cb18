// SPDX-License-Identifier: Apache-2.0
// Counter-based random numbers (Philox 4x32-10). A generator is a pure function of (seed, purpose,
// index), so any row can be redrawn alone and the number of threads does not matter.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace medley::core {

class Rng {
 public:
  /// `purpose` separates different uses of one seed (restarts, sweeps); `index` separates rows.
  Rng(std::uint64_t seed, std::uint64_t purpose, std::uint64_t index = 0);

  std::uint32_t bits();
  /// Uniform in the open interval (0, 1).
  double uniform();
  /// Uniform in 0 .. n-1; n > 0.
  std::size_t below(std::size_t n);
  double normal();
  /// Gamma with the given shape > 0 and rate 1 (Marsaglia and Tsang 2000).
  double gamma(double shape);
  /// The logarithm of such a draw, which is finite even if the draw itself is below the smallest
  /// double (shape 0.001).
  double log_gamma(double shape);

 private:
  std::array<std::uint32_t, 4> counter_;
  std::array<std::uint32_t, 2> key_;
  std::array<std::uint32_t, 4> block_{};
  std::size_t used_ = 4;
};

// A random order of 0 .. n-1 that needs no memory: the element at place i is a function of (seed,
// purpose, i). A Feistel network permutes 0 .. m-1, m the smallest power of four >= n (Luby and
// Rackoff 1988); it is applied again to results of n or more until they fall below n.

class Permutation {
 public:
  /// n > 0. `purpose` separates different uses of one seed (passes over the data).
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
