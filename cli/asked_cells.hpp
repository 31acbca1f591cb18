// SPDX-License-Identifier: Apache-2.0
// A list of cells to predict: a CSV of pairs, the id of a row and the name of a column or item.
#pragma once

#include <string>
#include <vector>

#include "medley/data.hpp"
#include "medley/predict.hpp"

namespace medley::cli {

/// Row numbers by id. Throws InputError naming every id that no row, or more than one, has; `where`
/// is the file or option they come from.
[[nodiscard]] std::vector<std::size_t> rows_of(const Dataset& data,
                                               const std::vector<std::string>& ids,
                                               const std::string& where);

/// A pair of the list that the model or the data do not know.
struct UnknownPair {
  std::size_t before = 0;  ///< how many known pairs stand before it
  std::string id, column;
};

struct AskedCells {
  std::vector<CellPlace> places;     ///< in the order of the list
  std::vector<UnknownPair> unknown;  ///< likewise
  std::string note;                  ///< what is unknown, in words; empty if nothing is
};

/// The cells of a file of pairs with the columns id (or row, user) and column (or item). Throws
/// InputError if none of them is known, listing the first, and for names that mean several.
[[nodiscard]] AskedCells asked_cells(const Dataset& data, const std::string& path);

}  // namespace medley::cli
