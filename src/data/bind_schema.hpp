// SPDX-License-Identifier: Apache-2.0
// Makes a schema ready to read by: encodings from the families, the extra level for missing cells,
// and which of the given sources plays which part of it.
#pragma once

#include <cstddef>
#include <limits>
#include <vector>

#include "data/catalogue.hpp"
#include "data/raw.hpp"
#include "medley/data.hpp"

namespace medley::data {

inline constexpr std::size_t kNone = std::numeric_limits<std::size_t>::max();

/// Sets every feature's encoding. Throws InputError for unknown families, families that do not go
/// with the kind of source or number of levels, and a schema without features.
[[nodiscard]] Schema bind_schema(Schema schema, const FamilyCatalogue& catalogue);

/// For each source of the schema, the given source that plays its part, or kNone. By name; a source
/// given alone also matches the only part that holds features. Throws InputError if kinds differ.
[[nodiscard]] std::vector<std::size_t> match_sources(const Schema& schema,
                                                     const std::vector<RawSource>& sources);

}  // namespace medley::data
