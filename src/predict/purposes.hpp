// SPDX-License-Identifier: Apache-2.0
// What the random numbers of this room are for: one purpose each, so that one seed serves them all.
// The upper bits are free for a running number (core/rng.hpp).
#pragma once

#include <cstdint>

namespace medley::predict {

enum class Purpose : std::uint64_t { hide = 0x40, membership = 0x41, cell = 0x42, flip = 0x43 };

[[nodiscard]] constexpr std::uint64_t purpose(Purpose what, std::uint64_t number = 0) {
  return (number << 8U) | static_cast<std::uint64_t>(what);
}

}  // namespace medley::predict
