// SPDX-License-Identifier: Apache-2.0
// What the random numbers of this room are for: one purpose each, so that one seed serves them all.
#pragma once

#include <cstdint>

namespace medley::choose {

enum class Purpose : std::uint64_t {
  sample = 0x53554747,  ///< of the cells of a long column
  inner_folds = 0x494e4e45,
  split = 0x53504c54  ///< of a profile into two
};

[[nodiscard]] constexpr std::uint64_t purpose(Purpose what) {
  return static_cast<std::uint64_t>(what);
}

}  // namespace medley::choose
