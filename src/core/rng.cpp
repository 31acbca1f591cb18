// SPDX-License-Identifier: Apache-2.0
#include "core/rng.hpp"

#include <Random123/philox.h>

#include <cmath>
#include <numbers>

#include "medley/error.hpp"

namespace medley::core {
namespace {

std::uint32_t low(std::uint64_t x) {
  return static_cast<std::uint32_t>(x);
}
std::uint32_t high(std::uint64_t x) {
  return static_cast<std::uint32_t>(x >> 32);
}

}  // namespace

// The key is the seed; the upper half of the purpose is folded in, because the counter's last word
// counts blocks and leaves 96 bits for (purpose, index).
Rng::Rng(std::uint64_t seed, std::uint64_t purpose, std::uint64_t index)
    : counter_{0, low(index), high(index), low(purpose)},
      key_{low(seed), high(seed) ^ high(purpose)} {}

std::uint32_t Rng::bits() {
  if (used_ == 4) {
    const r123::Philox4x32::ctr_type counter{{counter_[0], counter_[1], counter_[2], counter_[3]}};
    const r123::Philox4x32::key_type key{{key_[0], key_[1]}};
    const auto block = r123::Philox4x32()(counter, key);
    for (std::size_t i = 0; i < 4; ++i) block_[i] = block[i];
    ++counter_[0];
    used_ = 0;
  }
  return block_[used_++];
}

double Rng::uniform() {
  const std::uint64_t wide = (static_cast<std::uint64_t>(bits()) << 32) | bits();
  return (static_cast<double>(wide >> 11) + 0.5) * 0x1.0p-53;
}

std::size_t Rng::below(std::size_t n) {
  const auto at = integer_of<std::size_t>(uniform() * static_cast<double>(n));
  return at < n ? at : n - 1;
}

double Rng::normal() {
  const double radius = std::sqrt(-2.0 * std::log(uniform()));
  return radius * std::cos(2.0 * std::numbers::pi * uniform());
}

double Rng::gamma(double shape) {
  if (shape < 1.0) return gamma(shape + 1.0) * std::exp(std::log(uniform()) / shape);
  const double d = shape - 1.0 / 3.0;
  const double c = 1.0 / std::sqrt(9.0 * d);
  while (true) {
    const double x = normal();
    const double v = 1.0 + c * x;
    if (v <= 0.0) continue;
    const double cube = v * v * v;
    if (std::log(uniform()) < 0.5 * x * x + d - d * cube + d * std::log(cube)) return d * cube;
  }
}

double Rng::log_gamma(double shape) {
  // Gamma(a) = Gamma(a + 1) U^(1/a)
  if (shape < 1.0) return std::log(gamma(shape + 1.0)) + std::log(uniform()) / shape;
  return std::log(gamma(shape));
}

namespace {

// The finaliser of SplitMix64 (Steele, Lea and Flood 2014): flipping one bit of x flips half of the
// bits of the result on average.
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
