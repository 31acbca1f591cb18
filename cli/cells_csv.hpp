// SPDX-License-Identifier: Apache-2.0
// Predicted cells as text: in long form, or as what is written into a table.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "medley/data.hpp"
#include "medley/predict.hpp"
#include "output.hpp"

namespace medley::cli {

/// The columns of the long form, ending in a line end. Levels take one line each (level,
/// probability), a number takes one line (mean, sd, q05, q50, q95); the other fields stay empty.
inline constexpr const char* kCellsHeader = "id,column,level,probability,mean,sd,q05,q50,q95\n";
/// Writes the lines of these cells; they must have been predicted with the default quantiles.
void write_cells(const Dataset& data, const std::vector<CellPrediction>& cells, Output& output);

/// How the numbers of a table's column are written.
struct NumberStyle {
  char decimal = '.';
  int most_decimals = 0;  ///< of its cells; 0: all are whole numbers
  bool round = false;     ///< a column of whole numbers stays one
};
/// `texts`: the cells that hold numbers.
[[nodiscard]] NumberStyle style_of(const std::vector<std::string_view>& texts, char decimal);

/// Writes the line of a cell that cannot be predicted.
void write_unknown(const std::string& id, const std::string& column, Output& output);

/// The likeliest level, the mean, or for counts the median, as it goes into a table.
[[nodiscard]] std::string best_text(const Dataset& data, const CellPrediction& cell,
                                    const NumberStyle& style);
/// Draw m of the cell as it goes into a table.
[[nodiscard]] std::string drawn_text(const Dataset& data, const CellPrediction& cell, std::size_t m,
                                     const NumberStyle& style);

}  // namespace medley::cli
