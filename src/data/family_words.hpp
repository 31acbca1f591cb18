// SPDX-License-Identifier: Apache-2.0
// What to say about families in messages, without naming any here.
#pragma once

#include <string>

#include "data/catalogue.hpp"
#include "data/facts.hpp"
#include "medley/error.hpp"

namespace medley::data {

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

}  // namespace medley::data
