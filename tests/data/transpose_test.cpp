// SPDX-License-Identifier: Apache-2.0
#include "data/slot_index.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>

namespace medley::data {
namespace {

// Random cells by row, ascending slots, repeated cells allowed.
Block random_cells() {
  const auto slots = *rc::gen::inRange<std::uint32_t>(1, 9);
  const auto rows = *rc::gen::inRange<std::size_t>(0, 12);
  Block block;
  block.first_slot = {0, slots};
  for (std::size_t row = 0; row < rows; ++row) {
    auto cells = *rc::gen::container<std::vector<std::uint32_t>>(rc::gen::inRange(0U, slots));
    std::ranges::sort(cells);
    block.slot.insert(block.slot.end(), cells.begin(), cells.end());
    block.row_start.push_back(block.slot.size());
  }
  return block;
}

// The transposed index as a block again, whose rows are slots.
Block as_block(const Columns& columns, std::size_t rows) {
  Block block;
  block.first_slot = {0, static_cast<std::uint32_t>(rows)};
  block.row_start = columns.start;
  block.slot = columns.row;
  return block;
}

RC_GTEST_PROP(Transpose, TwiceGivesTheCellsBack, ()) {
  const Block block = random_cells();
  const std::size_t rows = block.row_start.size() - 1;
  const Columns once = transpose(block);
  const Columns twice = transpose(as_block(once, rows));
  RC_ASSERT(twice.start == block.row_start);
  RC_ASSERT(twice.row == block.slot);
}

RC_GTEST_PROP(Transpose, EveryCellStandsUnderItsSlotOnceInRowOrder, ()) {
  const Block block = random_cells();
  const Columns columns = transpose(block);
  RC_ASSERT(columns.start.size() == block.slots() + 1);
  RC_ASSERT(columns.start.back() == block.cells());
  std::vector<int> seen(block.cells(), 0);
  for (std::size_t slot = 0; slot < block.slots(); ++slot) {
    for (std::uint64_t at = columns.start[slot]; at < columns.start[slot + 1]; ++at) {
      const std::uint32_t cell = columns.cell[at];
      const std::uint32_t row = columns.row[at];
      ++seen[cell];
      RC_ASSERT(block.slot[cell] == slot);
      RC_ASSERT(block.row_start[row] <= cell && cell < block.row_start[row + 1]);
      if (at > columns.start[slot]) RC_ASSERT(columns.cell[at - 1] < cell);
    }
  }
  RC_ASSERT(std::ranges::all_of(seen, [](int n) { return n == 1; }));
}

TEST(Transpose, SlotsWithoutCellsAreEmpty) {
  Block block;
  block.first_slot = {0, 3};
  block.slot = {1, 1};
  block.row_start = {0, 0, 2};
  const Columns columns = transpose(block);
  EXPECT_EQ(columns.start, (std::vector<std::uint64_t>{0, 0, 2, 2}));
  EXPECT_EQ(columns.row, (std::vector<std::uint32_t>{1, 1}));
  EXPECT_EQ(columns.cell, (std::vector<std::uint32_t>{0, 1}));
}

}  // namespace
}  // namespace medley::data
