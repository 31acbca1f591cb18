// SPDX-License-Identifier: Apache-2.0
// Rows that are equal in every observed cell, folded into one with the sum of their weights: a
// survey of 20,000 people has a few thousand different answer patterns, and equal rows have equal
// results.
#pragma once

#include <cstdint>
#include <vector>

#include "medley/dataset.hpp"

namespace medley::data {

struct DistinctRows {
  Dataset data;  ///< one row per pattern, in order of first appearance; no ids
  std::vector<std::uint32_t> pattern;  ///< per original row: its row in `data`
};

/// Kept columns are not carried over.
[[nodiscard]] DistinctRows distinct_rows(const Dataset& all);

}  // namespace medley::data
