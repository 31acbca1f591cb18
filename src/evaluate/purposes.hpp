// SPDX-License-Identifier: Apache-2.0
// What the random numbers of this room are for: one purpose each, so that one seed serves them all.
// The upper bits are free for a running number (core/rng.hpp).
#pragma once

#include <cstdint>

namespace medley::evaluation {

enum class Purpose : std::uint64_t {
  importance = 0x50,
  left_to_right = 0x51,
  deal = 0x52,      ///< observations into parts
  resample = 0x53,  ///< rows of a refit
  posterior = 0x54,
  replicate = 0x55,  ///< data sets like the observed one
  folds = 0x56
};

[[nodiscard]] constexpr std::uint64_t purpose(Purpose what, std::uint64_t number = 0) {
  return (number << 8U) | static_cast<std::uint64_t>(what);
}

}  // namespace medley::evaluation
