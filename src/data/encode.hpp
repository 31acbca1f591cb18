// SPDX-License-Identifier: Apache-2.0
// From raw sources and a schema to a data set: rows joined, cells turned into slots and numbers;
// and columns that give the label away.
#pragma once

#include <string>
#include <vector>

#include "data/catalogue.hpp"
#include "data/raw.hpp"
#include "medley/data.hpp"
#include "medley/io.hpp"

namespace medley::data {

// From raw sources and a schema to a data set: rows joined, cells turned into slots and numbers.

/// The schema may be the one just inferred or one that came with a model; `options.schema` is
/// looked at only for which of the two it is: words that a given schema lacks are reported, and
/// families can still be chosen where there is none. Throws InputError listing every problem found.
[[nodiscard]] Dataset encode(const std::vector<RawSource>& sources, const Schema& schema,
                             const ReadOptions& options, const FamilyCatalogue& catalogue);

/// Refuses options that contradict a schema that was given (families, roles, weights).
void check_options_against(const Schema& schema, const ReadOptions& options);

// Columns that give the label away: a copy of it, or a finer code of the same thing, left among the
// features. A model is then right about every row of the file and of no use for new ones.

/// The names of the columns of answers or numbers that have one class for every value: over at
/// least 20 rows with a class, of at least two classes, five rows and more per value.
[[nodiscard]] std::vector<std::string> columns_that_tell(const Dataset& data,
                                                         const KeptColumn& label);

}  // namespace medley::data
