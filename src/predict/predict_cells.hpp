// SPDX-License-Identifier: Apache-2.0
// What a prediction of a cell is based on: the rest of its row. All missing cells of a row share
// one rest, the row as it is; an observed cell has a rest of its own, the row without that cell.
#pragma once

#include <cstddef>
#include <vector>

#include "medley/data.hpp"
#include "medley/predict.hpp"

namespace medley::predict {

struct RestRows {
  Dataset data;                   ///< one row per rest; no ids, no row weights
  std::vector<std::size_t> rest;  ///< per requested cell: its row in `data`
};

/// Throws InputError if a place is outside the data or in a block of words.
[[nodiscard]] RestRows rest_rows(const Dataset& data, const std::vector<CellPlace>& cells);

}  // namespace medley::predict
