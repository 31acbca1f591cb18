// SPDX-License-Identifier: Apache-2.0
// The gaps of a table as it stands in its file: which cells hold a missing value and belong to a
// column that the model predicts.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "medley/data.hpp"
#include "medley/io.hpp"
#include "medley/predict.hpp"

namespace medley::cli {

struct TableGaps {
  std::vector<CellPlace> places;
  std::vector<std::size_t> column;   ///< per place: its column in the table
  std::vector<std::string> absent;   ///< columns of the model that the table lacks
  std::size_t unknown = 0;           ///< cells with an answer the model does not know: left alone
  std::vector<std::string> na = {};  ///< of the options: more texts that mean "missing"
};

/// Whether the text of a cell means "missing" in its column.
[[nodiscard]] bool is_missing_text(const std::string& text, const ColumnSpec& column,
                                   const Schema& schema, const std::vector<std::string>& na);

/// `missing` are the cells that the model lacks, of a data set with one table.
[[nodiscard]] TableGaps find_gaps(const TextTable& table, const Dataset& data,
                                  const std::vector<CellPlace>& missing,
                                  const std::vector<std::string>& na);

}  // namespace medley::cli
