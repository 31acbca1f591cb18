// SPDX-License-Identifier: Apache-2.0
// Columns for the tests of the detectors: cells as a reader would leave them.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "data/column_facts.hpp"

namespace medley::testing {

/// Cells with their distinct values, and the summary of both. An empty text is a missing cell.
struct SampleColumn {
  std::vector<std::string> distinct;
  std::vector<std::uint32_t> code;
  data::ColumnSummary summary;

  [[nodiscard]] data::CodedCells cells() const { return {distinct, code}; }
};

inline SampleColumn sample(const std::vector<std::string>& texts, const std::string& name = "x") {
  SampleColumn column;
  std::map<std::string, std::uint32_t> codes;
  for (const std::string& text : texts) {
    const auto [entry, added] =
        codes.emplace(text, static_cast<std::uint32_t>(column.distinct.size()));
    if (added) column.distinct.push_back(text);
    column.code.push_back(text.empty() ? data::kMissingCode : entry->second);
  }
  column.summary = data::summarise(column.cells(), data::MissingStrings({}));
  column.summary.facts.name = name;
  return column;
}

/// Each text as often as said.
inline SampleColumn sample_of_counts(const std::map<std::string, int>& counts) {
  std::vector<std::string> texts;
  for (const auto& [text, count] : counts) {
    texts.insert(texts.end(), static_cast<std::size_t>(count), text);
  }
  return sample(texts);
}

}  // namespace medley::testing
