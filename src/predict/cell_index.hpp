// SPDX-License-Identifier: Apache-2.0
// Which cells of a row belong to one feature, which cells a table lacks, and which cells to hide.
#pragma once

#include <cstdint>

#include "medley/data.hpp"
#include "medley/predict.hpp"

namespace medley::predict {

// Purposes of the random numbers of this room, so that one seed serves them all. The upper bits are
// free for a running number (core/rng.hpp).

enum class Purpose : std::uint64_t { hide = 0x40, membership = 0x41, cell = 0x42, flip = 0x43 };

[[nodiscard]] constexpr std::uint64_t purpose(Purpose what, std::uint64_t number = 0) {
  return (number << 8U) | static_cast<std::uint64_t>(what);
}

// The place of a cell: the cells of a row that belong to one feature of a block.

/// Cells [begin, end) of a block: several if the cell is repeated, none if it is missing.
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
