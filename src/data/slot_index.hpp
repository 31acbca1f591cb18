// SPDX-License-Identifier: Apache-2.0
// From slots to what they belong to: the feature of a slot, and the cells of a slot (the transposed
// block).
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "medley/data.hpp"

namespace medley::data {

// From a slot to the feature that it belongs to.

[[nodiscard]] inline std::size_t feature_of(const Block& block, std::size_t slot) {
  return static_cast<std::size_t>(std::ranges::upper_bound(block.first_slot, slot) -
                                  block.first_slot.begin() - 1);
}

// A block's cells by slot instead of by row: the transposed index. Statistics of a slot are summed
// by one thread in row order, so they have the same bits at any thread count and need no per-thread
// tables.

struct Columns {
  std::vector<std::uint64_t> start;  ///< slots + 1
  std::vector<std::uint32_t> row;    ///< per cell, ascending within a slot
  std::vector<std::uint32_t> cell;   ///< its place in the block's row order
};

[[nodiscard]] Columns transpose(const Block& block);

}  // namespace medley::data
