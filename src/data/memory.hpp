// SPDX-License-Identifier: Apache-2.0
// From data in memory to raw sources, such as the readers make of files. What was given is checked
// first and trusted afterwards.
#pragma once

#include <string>
#include <vector>

#include "data/formats/csv.hpp"
#include "data/raw.hpp"
#include "medley/io.hpp"

namespace medley::data {

/// Throws InputError that lists everything wrong with the sources, by source, row and column, and
/// with options that make sense for files only.
void check_memory(const std::vector<MemorySource>& sources, const ReadOptions& options);

/// Takes over a source that check_memory() found sound. Texts are numbered by first appearance,
/// unless their order is that of the levels; those that mean "missing" go.
[[nodiscard]] RawSource raw_of_memory(MemorySource source, const IsMissing& is_missing,
                                      std::vector<std::string>& warnings);

}  // namespace medley::data
