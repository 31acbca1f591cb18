// SPDX-License-Identifier: Apache-2.0
// A block's cells by slot instead of by row: the transposed index. Statistics of a slot are summed
// by one thread in row order, so they have the same bits at any thread count and need no per-thread
// tables.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "medley/data.hpp"

namespace medley::data {

struct Columns {
  std::vector<std::uint64_t> start;  ///< slots + 1
  std::vector<std::uint32_t> row;    ///< per cell, ascending within a slot
  std::vector<std::uint32_t> cell;   ///< its place in the block's row order
};

[[nodiscard]] Columns transpose(const Block& block);

}  // namespace medley::data
