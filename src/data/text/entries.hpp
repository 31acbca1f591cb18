// SPDX-License-Identifier: Apache-2.0
// Cells that hold several things: running text (words), lists of tags, sets of options. Each
// distinct text of a column is taken apart once, however many rows it is in.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "data/catalogue.hpp"
#include "data/column_facts.hpp"
#include "data/raw.hpp"
#include "medley/io.hpp"

namespace medley::data {

/// Whether a cell of the column is taken apart: words, tags or options.
[[nodiscard]] inline bool holds_entries(const ColumnSpec& column) {
  return column.cells != CellText::value;
}

/// The entries of every distinct text, each once per text with its count.
struct EntryBags {
  std::vector<std::string> names;          ///< the different entries, by first appearance
  std::vector<bool> missing;               ///< per text: nothing is observed
  std::vector<std::uint64_t> start = {0};  ///< texts + 1: entries of text i are [start[i], ...)
  std::vector<std::uint32_t> entry;        ///< index into names, ascending within a text
  std::vector<std::uint32_t> count;        ///< how often it is in the text
};

/// What separates the entries of this column's lists: lists of the file's own (JSON arrays) have
/// their own, else `asked` (--split) if it is not empty, else what the schema says.
[[nodiscard]] std::string separator_of(const ColumnSpec& spec, const RawColumn& column,
                                       const std::string& asked);

/// Takes the texts apart by `spec.cells`. A blank text is missing. Throws InputError if the entries
/// would go past `options.memory_limit`.
[[nodiscard]] EntryBags entries_of(const RawColumn& column, const ColumnSpec& spec,
                                   const ReadOptions& options, const MissingStrings& missing);

/// How many rows hold each distinct text.
[[nodiscard]] std::vector<std::size_t> uses_of(const RawColumn& column);

// Which family holds words, tags or options; asked of the catalogue, none is named here.

/// The levels of one option of a set: no, yes, and missing where that is a level of its own.
[[nodiscard]] std::vector<std::string> option_levels(bool missing_as_category);

/// The family of a column whose cells are taken apart: words and tags are counts over a vocabulary,
/// an option of a set has levels. Empty if the catalogue has none.
[[nodiscard]] std::string family_of_entries(const ColumnSpec& column, bool missing_as_category,
                                            const FamilyCatalogue& catalogue);

/// What a family is told about such a column.
[[nodiscard]] ColumnFacts facts_of_entries(const ColumnSpec& column, bool missing_as_category);

}  // namespace medley::data
