// SPDX-License-Identifier: Apache-2.0
// Cells that are equal in slot and value, folded into one: they have equal likelihoods, and what an
// M-step needs of them is the sum of their responsibilities. 16 yes/no items have 32 distinct
// cells, however many people answered them.
#pragma once

#include <cstdint>
#include <vector>

#include "medley/data.hpp"

namespace medley::data {

struct DistinctCells {
  Dataset data;  ///< one row per distinct cell, holding it alone, weight 1; no ids
  std::vector<std::vector<std::uint32_t>> code;  ///< per block, per cell: its row in `data`
};

[[nodiscard]] DistinctCells distinct_cells(const Dataset& all);

/// Whether every cell was observed a whole number of times (no block weights), and no row more than
/// 2^24 times in all, so that its observations can be laid out one by one.
[[nodiscard]] bool whole_weights(const Dataset& data);

}  // namespace medley::data
