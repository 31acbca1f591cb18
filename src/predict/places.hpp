// SPDX-License-Identifier: Apache-2.0
// Where a cell is: the cells of a row that belong to one feature of a block.
#pragma once

#include <cstdint>

#include "medley/data.hpp"
#include "medley/predict.hpp"

namespace medley::predict {

/// Cells [begin, end) of a block; more than one where a cell is repeated, none where it is missing.
struct CellRange {
  std::uint64_t begin = 0, end = 0;
  [[nodiscard]] bool empty() const { return begin == end; }
};

/// The observed cells at a place.
[[nodiscard]] CellRange cells_at(const Dataset& data, const CellPlace& place);

/// Whether a block has cells to predict: levels or numbers, not words.
[[nodiscard]] inline bool predictable(const Block& block) {
  return block.encoding != Encoding::tokens;
}

}  // namespace medley::predict
