// SPDX-License-Identifier: Apache-2.0
// From raw sources and a schema to a data set: rows joined, cells turned into slots and numbers.
#pragma once

#include <string>
#include <vector>

#include "data/catalogue.hpp"
#include "data/raw.hpp"
#include "medley/io.hpp"

namespace medley::data {

/// The schema may be the one just inferred or one that came with a model; `options.schema` is
/// looked at only for which of the two it is: words that a given schema lacks are reported, and
/// families can still be chosen where there is none. Throws InputError listing every problem found.
[[nodiscard]] Dataset encode(const std::vector<RawSource>& sources, const Schema& schema,
                             const ReadOptions& options, const FamilyCatalogue& catalogue);

/// Refuses options that contradict a schema that was given (families, roles, weights).
void check_options_against(const Schema& schema, const ReadOptions& options);

}  // namespace medley::data
