// SPDX-License-Identifier: Apache-2.0
#include "data/distinct.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <set>

#include "support/toy.hpp"

namespace medley::data {
namespace {

TEST(DistinctCells, EveryCellFindsItsSlotAndValue) {
  const double none = std::nan("");
  const Dataset all =
      test::dataset({test::level_block("categorical", {{0, 1}, {2, -1}, {0, 1}}, {3, 2}),
                     test::real_block("gaussian", {{1.5, 2.0}, {1.5, none}, {0.0, 1.5}}, 2),
                     test::token_block("words", {{2, 0, 1}, {0, 3, 0}, {1, 0, 0}})});
  const DistinctCells cells = distinct_cells(all);
  EXPECT_EQ(cells.data.rows, 3U + 4U + 3U);
  std::set<std::uint32_t> used;
  for (std::size_t b = 0; b < all.blocks.size(); ++b) {
    const Block& block = all.blocks[b];
    const Block& own = cells.data.blocks[b];
    ASSERT_EQ(cells.code[b].size(), block.cells());
    ASSERT_EQ(own.row_start.size(), cells.data.rows + 1);
    for (std::size_t c = 0; c < block.cells(); ++c) {
      const std::uint32_t code = cells.code[b][c];
      used.insert(code);
      ASSERT_EQ(own.row_start[code + 1] - own.row_start[code], 1U);
      const std::uint64_t at = own.row_start[code];
      EXPECT_EQ(own.slot[at], block.slot[c]);
      EXPECT_EQ(own.weight_of(at), 1.0F);
      if (!block.value.empty()) {
        EXPECT_EQ(own.value[at], block.value[c]);
      }
    }
  }
  EXPECT_EQ(used.size(), cells.data.rows);
  for (std::size_t row = 0; row < cells.data.rows; ++row) EXPECT_EQ(cells.data.observed(row), 1.0);
}

TEST(DistinctCells, CountsThatCannotBeLaidOutAreNotWhole) {
  Dataset data = test::dataset({test::token_block("words", {{2, 1}, {3, 4}})});
  EXPECT_TRUE(whole_weights(data));
  for (const float odd : {2.5F, -1.0F, 1e20F, std::numeric_limits<float>::infinity(),
                          std::numeric_limits<float>::quiet_NaN()}) {
    data.blocks[0].weight[1] = odd;
    EXPECT_FALSE(whole_weights(data)) << odd;
  }
}

}  // namespace
}  // namespace medley::data
