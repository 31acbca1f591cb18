// SPDX-License-Identifier: Apache-2.0
// What looks odd in a table and only the person can settle. Nothing is changed for it: a hint is a
// sentence in the schema and a warning of the fit. Empty: nothing looks odd.
#pragma once

#include <cstddef>
#include <map>
#include <string>

#include "data/facts.hpp"
#include "data/raw.hpp"

namespace medley::data {

/// "Don't know" beside the answers 1 to 5, and the 9 beside it.
[[nodiscard]] std::string text_beside_scale(const ColumnSummary& column);

/// Levels that differ in case or in blanks around them alone: Yes, yes, "YES ".
[[nodiscard]] std::string twin_levels(const ColumnSummary& column);

/// A first line of numbers, and of texts that are cells too, like the lines under it: a file
/// without a header.
[[nodiscard]] std::string data_as_names(const RawTable& table);

/// Column -> an earlier one with the same cells in every row.
[[nodiscard]] std::map<std::size_t, std::size_t> copied_columns(const RawTable& table);

}  // namespace medley::data
