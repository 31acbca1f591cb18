// SPDX-License-Identifier: Apache-2.0
// Which cells of a row belong to one feature, which cells a table lacks, and which are hidden to be
// predicted.
#pragma once

#include <cstdint>

#include "medley/data.hpp"
#include "medley/predict.hpp"

namespace medley::predict {

// What the random numbers of this room are for: one purpose each, so that one seed serves them all.
// The upper bits are free for a running number (core/rng.hpp).

enum class Purpose : std::uint64_t { hide = 0x40, membership = 0x41, cell = 0x42, flip = 0x43 };

[[nodiscard]] constexpr std::uint64_t purpose(Purpose what, std::uint64_t number = 0) {
  return (number << 8U) | static_cast<std::uint64_t>(what);
}

// Where a cell is: the cells of a row that belong to one feature of a block.

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
