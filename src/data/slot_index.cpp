// SPDX-License-Identifier: Apache-2.0
#include "data/slot_index.hpp"

#include <limits>

#include "core/task.hpp"
#include "medley/error.hpp"

namespace medley::data {

Columns transpose(const Block& block) {
  if (block.cells() > std::numeric_limits<std::uint32_t>::max()) {
    throw InputError({block.name, "more than 4 billion cells in one block",
                      "split the block, or fit on a sample of the rows"});
  }
  Columns columns;
  columns.start.assign(block.slots() + 1, 0);
  for (const std::uint32_t slot : block.slot) ++columns.start[slot + 1];
  for (std::size_t s = 0; s < block.slots(); ++s) columns.start[s + 1] += columns.start[s];
  columns.row.resize(block.cells());
  columns.cell.resize(block.cells());
  std::vector<std::uint64_t> next(columns.start.begin(), columns.start.end() - 1);
  for (std::size_t row = 0; row + 1 < block.row_start.size(); ++row) {
    core::stop_if_asked();
    for (std::uint64_t cell = block.row_start[row]; cell < block.row_start[row + 1]; ++cell) {
      const std::uint64_t at = next[block.slot[cell]]++;
      columns.row[at] = static_cast<std::uint32_t>(row);
      columns.cell[at] = static_cast<std::uint32_t>(cell);
    }
  }
  return columns;
}

}  // namespace medley::data
