// SPDX-License-Identifier: Apache-2.0
// What can be said of a column before a family is chosen: counts, range, levels.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
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
  NumberMarks marks = {};                       ///< how numbers are written
  const std::vector<double>* number = nullptr;  ///< per distinct text, if all are known
};

[[nodiscard]] inline CodedCells cells_of(const RawColumn& column, const NumberMarks& marks = {}) {
  const bool known = !column.number.empty() && column.number.size() == column.distinct.size();
  return {column.distinct, column.code, marks, known ? &column.number : nullptr};
}

/// A value that occurs in a column, and how often.
struct ObservedValue {
  std::string text;
  std::size_t count = 0;
  std::optional<double> number;  ///< if the text is one
};

struct ColumnSummary {
  ColumnFacts facts;                  ///< `distinct` counts observed values
  std::vector<ObservedValue> values;  ///< the observed values, bytewise order
  std::vector<std::string> levels;    ///< their texts: what a family of levels would get
};

[[nodiscard]] ColumnSummary summarise(const CodedCells& cells, const MissingStrings& missing);
/// The levels of such a column: sorted by their texts, or as the data give them.
[[nodiscard]] std::vector<std::string> levels_of(const CodedCells& cells, GivenLevels given,
                                                 const MissingStrings& missing);
/// Of a token source: rows, size of the vocabulary, range of the counts.
[[nodiscard]] ColumnFacts facts_of_counts(const RawCounts& counts);

}  // namespace medley::data
