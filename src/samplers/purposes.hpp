// SPDX-License-Identifier: Apache-2.0
// What the random numbers of this room are for: one purpose each, per chain and sweep, so that one
// seed serves them all and a chain goes on with the same draws after it was saved.
#pragma once

#include <cstdint>

namespace medley::samplers {

/// Apart by more than there are chains.
enum class Purpose : std::uint64_t {
  start = 0x44500000,
  rows = 0x44510000,
  split_merge = 0x44520000,
  concentration = 0x44530000,
  search = 0x44540000,
  parameters = 0x44550000
};

[[nodiscard]] constexpr std::uint64_t purpose(Purpose what, std::uint64_t chain,
                                              std::uint64_t sweep) {
  return (static_cast<std::uint64_t>(what) + chain) << 32 | sweep;
}

}  // namespace medley::samplers
