// SPDX-License-Identifier: Apache-2.0
// Which rows of several sources belong together: by id where all have one, else line by line.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "data/column_facts.hpp"
#include "data/raw.hpp"
#include "data/source_columns.hpp"

namespace medley::data {

struct RowMap {
  std::size_t rows = 0;
  std::vector<std::string> ids;                ///< empty: rows are numbered
  std::vector<std::vector<std::size_t>> from;  ///< per source: empty = the same rows, else per row
                                               ///< the source's row, or kNone
  /// The row of a source that is row `row` of the data set, or kNone.
  [[nodiscard]] std::size_t of(std::size_t source, std::size_t row) const {
    return from[source].empty() ? row : from[source][row];
  }
};

/// Where the names of the rows come from: the column `column` (empty: none) of a source that has
/// it, else the list `rows` (empty: none), which names the rows of every other source.
struct RowNames {
  std::string column;
  const std::vector<std::string>& rows;
};

/// Joins the sources in the order of the first one. Unmatched rows are told in `warnings`; repeated
/// ids and unequal lengths are an InputError.
[[nodiscard]] RowMap join_rows(const std::vector<RawSource>& sources,
                               const std::vector<ColumnRef>& columns, const RowNames& names,
                               const MissingStrings& missing, std::vector<std::string>& warnings);

}  // namespace medley::data
