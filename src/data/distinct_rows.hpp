// SPDX-License-Identifier: Apache-2.0
// Rows that are equal in every observed cell, folded into one with the sum of their weights: a
// survey of 20,000 people has a few thousand different answer patterns, and equal rows have equal
// results.
#pragma once

#include <cstdint>
#include <vector>

#include "medley/data.hpp"

namespace medley::data {

struct DistinctRows {
  Dataset data;  ///< one row per pattern, in order of first appearance; no ids
  std::vector<std::uint32_t> pattern;  ///< per original row: its row in `data`
};

/// Which rows are one: those equal in their cells, or in their label too.
enum class Fold { cells, cells_and_label };

/// Kept columns are not carried over, but for the label if that is looked at.
[[nodiscard]] DistinctRows distinct_rows(const Dataset& all, Fold fold = Fold::cells);

}  // namespace medley::data
