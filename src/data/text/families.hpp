// SPDX-License-Identifier: Apache-2.0
// Which family holds words, tags or options; asked of the catalogue, none is named here.
#pragma once

#include <string>
#include <vector>

#include "data/catalogue.hpp"

namespace medley::data {

/// The levels of one option of a set: no, yes, and missing where that is a level of its own.
[[nodiscard]] std::vector<std::string> option_levels(bool missing_as_category);

/// The family of a column whose cells are taken apart: words and tags are counts over a vocabulary,
/// an option of a set has levels. Empty if the catalogue has none.
[[nodiscard]] std::string family_of_entries(const ColumnSpec& column, bool missing_as_category,
                                            const FamilyCatalogue& catalogue);

/// What a family is told about such a column.
[[nodiscard]] ColumnFacts facts_of_entries(const ColumnSpec& column, bool missing_as_category);

}  // namespace medley::data
