// SPDX-License-Identifier: Apache-2.0
// What can be said of a column before a family is chosen: counts, range, levels.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "data/catalogue.hpp"
#include "data/missing.hpp"
#include "data/raw.hpp"

namespace medley::data {

/// Cells as codes into their distinct values: a table column, or the values of triplets.
struct CodedCells {
  const std::vector<std::string>& distinct;
  const std::vector<std::uint32_t>& code;
};

struct ColumnSummary {
  ColumnFacts facts;                ///< `distinct` counts observed values
  std::vector<std::string> levels;  ///< the observed values, bytewise order
  bool any_number = false;          ///< at least one value is a number
};

[[nodiscard]] ColumnSummary summarise(const CodedCells& cells, const MissingStrings& missing);
/// Of a token source: rows, size of the vocabulary, range of the counts.
[[nodiscard]] ColumnFacts facts_of_counts(const RawCounts& counts);

}  // namespace medley::data
