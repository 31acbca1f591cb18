// SPDX-License-Identifier: Apache-2.0
// Cells copied from one block to another of the same shape: what choosing rows, folding equal ones
// and hiding cells have in common.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "medley/data.hpp"

namespace medley::data {

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

}  // namespace medley::data
