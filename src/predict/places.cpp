// SPDX-License-Identifier: Apache-2.0
#include "predict/places.hpp"

#include <algorithm>

namespace medley::predict {

CellRange cells_at(const Dataset& data, const CellPlace& place) {
  const Block& block = data.blocks[place.block];
  const auto at = [&](std::uint64_t cell) {
    return block.slot.begin() + static_cast<std::ptrdiff_t>(cell);
  };
  const auto first = at(block.row_start[place.row]), last = at(block.row_start[place.row + 1]);
  const auto begin = std::lower_bound(first, last, block.first_slot[place.feature]);
  const auto end = std::lower_bound(begin, last, block.first_slot[place.feature + 1]);
  return {static_cast<std::uint64_t>(begin - block.slot.begin()),
          static_cast<std::uint64_t>(end - block.slot.begin())};
}

}  // namespace medley::predict
