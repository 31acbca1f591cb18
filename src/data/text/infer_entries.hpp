// SPDX-License-Identifier: Apache-2.0
// Is a column running text, a list of tags or a set of options? What was asked for is done; prose
// and lists of the file's own are recognised; what only looks like a list is pointed out.
#pragma once

#include <string>
#include <vector>

#include "core/problems.hpp"
#include "data/catalogue.hpp"
#include "data/column_facts.hpp"
#include "data/raw.hpp"
#include "medley/io.hpp"

namespace medley::data {

struct EntriesContext {
  const ReadOptions& options;
  const FamilyCatalogue& catalogue;
  const MissingStrings& missing;
  core::Problems& problems;
  std::vector<std::string>& notes;  ///< what was set aside unasked, for the summary
};

/// Whether a word of `--column NAME=WORD` asks for cells to be taken apart: text, tags or set.
[[nodiscard]] bool asks_for_entries(const std::string& word);

/// Fills `spec` (all but name and role) and returns true if the column's cells are to be taken
/// apart; false: each cell is one value. `asked` is the word of `--column`, or empty. A column
/// where nothing is left of what was asked for is a problem.
[[nodiscard]] bool infer_entries(ColumnSpec& spec, const RawColumn& column,
                                 const std::string& asked, const EntriesContext& context);

/// "lists? --column NAME=set or =tags" for a column of values that looks like lists, else empty.
[[nodiscard]] std::string list_hint(const RawColumn& column, const ReadOptions& options,
                                    const MissingStrings& missing);

}  // namespace medley::data
