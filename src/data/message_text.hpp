// SPDX-License-Identifier: Apache-2.0
// Names, families and unknown values as they are shown in messages.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "data/catalogue.hpp"
#include "data/column_facts.hpp"
#include "medley/data.hpp"
#include "medley/error.hpp"

namespace medley::data {

// Names as they are shown in messages: lists, counts, and what a misspelt name was meant to be.

/// A cell as one would type it in a shell: bare if harmless, else quoted.
[[nodiscard]] std::string shell_word(std::string_view text);
/// `"a", "b", "c" and 12 more`.
[[nodiscard]] std::string listed(const std::vector<std::string>& names, std::size_t most = 20);
/// The name that `wanted` is probably a misspelling of, or empty.
[[nodiscard]] std::string closest(std::string_view wanted, const std::vector<std::string>& names);
/// `1 row`, `3 rows`.
[[nodiscard]] std::string counted(std::uint64_t count, std::string_view thing);

// What to say about families in messages, without naming any here.

/// `unknown family "gausian" (did you mean "gaussian"? the families are: ...)`.
[[nodiscard]] Problem unknown_family(const std::string& where, const std::string& family,
                                     const FamilyCatalogue& catalogue);

/// A family that takes the column as levels, or empty if there is none.
[[nodiscard]] std::string family_of_levels(const ColumnFacts& facts,
                                           const FamilyCatalogue& catalogue);

/// A family of numbers that takes all values of a column of numbers, or empty if there is none.
[[nodiscard]] std::string family_of_numbers(const ColumnSummary& column,
                                            const FamilyCatalogue& catalogue);

/// `use --column visits=gaussian, or --na -1`, where `instead` takes the column; the column's
/// family is what it is if it is `fixed` by a schema.
[[nodiscard]] std::string ways_out(const std::string& cell, const ColumnSpec& column,
                                   const std::string& instead, bool fixed);

/// `survey.csv:17: column "age"`: `"abc" is not a number (the column is gaussian; use ...)`.
[[nodiscard]] Problem not_a_number(const std::string& where, const std::string& cell,
                                   const ColumnSpec& column, const std::string& instead,
                                   bool fixed);

// What a schema does not know, by name: the most frequent words, items and levels.

/// Adds the most frequent of a block's unknown names, kNamedUnknown at most, the most frequent
/// first, then by name; those with count 0 are none.
void add_unknown(const std::string& block, std::vector<std::pair<std::string, double>> counts,
                 std::vector<Unknown>& to);

}  // namespace medley::data
