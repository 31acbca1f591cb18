// SPDX-License-Identifier: Apache-2.0
// Cells copied from one block to another of the same shape: what choosing rows, folding equal ones
// and hiding cells have in common.
#pragma once

#include <cstdint>

#include "medley/dataset.hpp"

namespace medley::data {

/// Appends cells [begin, end) of a block; the row is not ended.
void append_cells(const Block& from, std::uint64_t begin, std::uint64_t end, Block& to);

}  // namespace medley::data
