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
  gom_start = 0x474f0000,
  gom_start_rows = 0x47500000,
  gom_rows = 0x47510000,
  gom_tables = 0x47520000,
  gom_alpha = 0x47530000,
  gom_memberships = 0x47540000,
  gom_traced = 0x47550000,
  search = 0x44540000,
  parameters = 0x44550000,
  selftest_rows = 0x53500000,
  selftest_forward = 0x53510000,
  selftest_turns = 0x53520000,
  selftest_fits = 0x53530000,
  selftest_ranks = 0x53540000
};

[[nodiscard]] constexpr std::uint64_t purpose(Purpose what, std::uint64_t chain,
                                              std::uint64_t sweep) {
  return (static_cast<std::uint64_t>(what) + chain) << 32 | sweep;
}

}  // namespace medley::samplers
