// SPDX-License-Identifier: Apache-2.0
// What to say about families in messages, without naming any here.
#pragma once

#include <string>

#include "data/catalogue.hpp"
#include "medley/error.hpp"

namespace medley::data {

/// `unknown family "gausian" (did you mean "gaussian"? the families are: ...)`.
[[nodiscard]] Problem unknown_family(const std::string& where, const std::string& family,
                                     const FamilyCatalogue& catalogue);

/// A family that takes the column as levels, or empty if there is none.
[[nodiscard]] std::string family_of_levels(const ColumnFacts& facts,
                                           const FamilyCatalogue& catalogue);

/// `survey.csv:17: column "age"`: `"abc" is not a number (the column is gaussian; use ...)`.
[[nodiscard]] Problem not_a_number(const std::string& where, const std::string& cell,
                                   const ColumnSpec& column, const std::string& family_of_levels);

}  // namespace medley::data
