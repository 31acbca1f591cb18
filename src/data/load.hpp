// SPDX-License-Identifier: Apache-2.0
// From files to a data set in one call: open, detect, read, infer or apply the schema, encode.
#pragma once

#include <vector>

#include "data/catalogue.hpp"
#include "data/raw.hpp"
#include "medley/io.hpp"

namespace medley::data {

/// With `options.schema` the files are read by it; without, one is inferred. The data set's schema
/// is the one used. Throws InputError listing every problem found. `options.memory_limit` 0 is no
/// limit.
[[nodiscard]] Dataset load(const std::vector<Source>& sources, const ReadOptions& options,
                           const FamilyCatalogue& catalogue);

/// What the columns are taken for; nothing is encoded.
[[nodiscard]] Schema load_schema(const std::vector<Source>& sources, const ReadOptions& options,
                                 const FamilyCatalogue& catalogue);

/// The same for data that are in memory.
[[nodiscard]] Dataset load(std::vector<MemorySource> sources, const ReadOptions& options,
                           const FamilyCatalogue& catalogue);
[[nodiscard]] Schema load_schema(std::vector<MemorySource> sources, const ReadOptions& options,
                                 const FamilyCatalogue& catalogue);
/// The same for what raw_of_memory() made.
[[nodiscard]] Schema schema_of_raw(std::vector<RawSource> sources, const ReadOptions& options,
                                   const FamilyCatalogue& catalogue);

}  // namespace medley::data
