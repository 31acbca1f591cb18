// SPDX-License-Identifier: Apache-2.0
// From raw sources to a schema: what every column is for and which family suits it.
#pragma once

#include <string>
#include <vector>

#include "data/catalogue.hpp"
#include "data/raw.hpp"
#include "medley/io.hpp"

namespace medley::data {

struct Inferred {
  Schema schema;
  std::vector<std::string> warnings;    ///< columns that were left out, and why
  std::vector<std::string> notes = {};  ///< see Dataset::notes
};

/// Throws InputError listing unknown columns and families, families that cannot hold their column,
/// and cells that are no numbers where numbers are needed.
[[nodiscard]] Inferred infer(const std::vector<RawSource>& sources, const ReadOptions& options,
                             const FamilyCatalogue& catalogue);

}  // namespace medley::data
