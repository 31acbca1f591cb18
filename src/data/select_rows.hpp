// SPDX-License-Identifier: Apache-2.0
// Some rows of a data set, or copies of cells, as a data set of the same columns and levels.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "medley/data.hpp"

namespace medley::data {

// Cells copied from one block to another of the same shape: what choosing rows, folding equal ones
// and hiding cells have in common.

/// Appends elements [begin, end). Weights, values and ids may be absent: `from` is then empty, and
/// nothing is appended.
template <class T>
void append_range(const std::vector<T>& from, std::uint64_t begin, std::uint64_t end,
                  std::vector<T>& to) {
  if (from.empty()) return;
  to.insert(to.end(), from.begin() + static_cast<std::ptrdiff_t>(begin),
            from.begin() + static_cast<std::ptrdiff_t>(end));
}

/// Appends cells [begin, end) of a block; the row is not ended.
void append_cells(const Block& from, std::uint64_t begin, std::uint64_t end, Block& to);

// Some rows of a data set as a data set of their own, with the same columns and levels.

/// The rows in the given order; each below data.rows. Ids stay as they are (numbers stay implied:
/// rows without ids are numbered anew). Cells that were missing or unseen are not counted anew.
[[nodiscard]] Dataset select_rows(const Dataset& data, std::span<const std::size_t> rows);

}  // namespace medley::data
