// SPDX-License-Identifier: Apache-2.0
// Columns that name the rows instead of describing them.
#pragma once

#include <string>

#include "data/facts.hpp"

namespace medley::data {

/// Why a column is taken for an id; empty if it is not. Taken for one: text that is different in
/// every cell, UUIDs, whole numbers that number the rows (up or down by 1 in file order; years do
/// not), numbers written with leading zeros and all different, and what is called an id and is
/// nearly always different. Fewer than kFewestForId cells are no evidence.
inline constexpr std::size_t kFewestForId = 10;
[[nodiscard]] std::string why_id(const CodedCells& cells, const ColumnSummary& column);

}  // namespace medley::data
