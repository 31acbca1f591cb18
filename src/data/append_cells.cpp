// SPDX-License-Identifier: Apache-2.0
#include "data/append_cells.hpp"

namespace medley::data {

void append_cells(const Block& from, std::uint64_t begin, std::uint64_t end, Block& to) {
  append_range(from.slot, begin, end, to.slot);
  append_range(from.weight, begin, end, to.weight);
  append_range(from.value, begin, end, to.value);
}

}  // namespace medley::data
