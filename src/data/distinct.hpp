// SPDX-License-Identifier: Apache-2.0
// Equal cells and equal rows, folded into one with their number.
#pragma once

#include <cstdint>
#include <vector>

#include "medley/data.hpp"

namespace medley::data {

// Cells that are equal in slot and value, folded into one: they have equal likelihoods, and what an
// M-step needs of them is the sum of their responsibilities. 16 yes/no items have 32 distinct
// cells, however many people answered them.

struct DistinctCells {
  Dataset data;  ///< one row per distinct cell, holding it alone, weight 1; no ids
  std::vector<std::vector<std::uint32_t>> code;  ///< per block, per cell: its row in `data`
};

[[nodiscard]] DistinctCells distinct_cells(const Dataset& all);

/// Whether every cell was observed a whole number of times (no block weights), and no row more than
/// 2^24 times in all, so that its observations can be laid out one by one.
[[nodiscard]] bool whole_weights(const Dataset& data);

// Rows that are equal in every observed cell, folded into one with the sum of their weights: a
// survey of 20,000 people has a few thousand different answer patterns, and equal rows have equal
// results.

struct DistinctRows {
  Dataset data;  ///< one row per pattern, in order of first appearance; no ids
  std::vector<std::uint32_t> pattern;  ///< per original row: its row in `data`
};

/// Which rows are one: those equal in their cells, or in their label too.
enum class Fold { cells, cells_and_label };

/// Kept columns are not carried over, but for the label if that is looked at.
[[nodiscard]] DistinctRows distinct_rows(const Dataset& all, Fold fold = Fold::cells);

}  // namespace medley::data
