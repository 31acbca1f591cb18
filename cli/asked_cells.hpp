// SPDX-License-Identifier: Apache-2.0
// A list of cells to predict: a CSV of pairs, the id of a row and the name of a column or item.
#pragma once

#include <string>
#include <vector>

#include "medley/dataset.hpp"
#include "medley/predict.hpp"

namespace medley::cli {

/// Row numbers by id. Throws InputError naming every id that no row, or more than one, has; `where`
/// is the file or option they come from.
[[nodiscard]] std::vector<std::size_t> rows_of(const Dataset& data,
                                               const std::vector<std::string>& ids,
                                               const std::string& where);

/// The cells of a file of pairs with the columns id (or row, user) and column (or item), in its
/// order. Throws InputError listing every pair that is not in the data.
[[nodiscard]] std::vector<CellPlace> asked_cells(const Dataset& data, const std::string& path);

}  // namespace medley::cli
