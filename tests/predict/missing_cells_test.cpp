// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "medley/error.hpp"
#include "medley/predict.hpp"
#include "support/hand_model.hpp"

namespace medley {

static bool operator==(const CellPlace& a, const CellPlace& b) {
  return a.row == b.row && a.block == b.block && a.feature == b.feature;
}

namespace {

TEST(MissingCells, AreListedRowByRow) {
  const Dataset data =
      test::dataset({test::level_block("categorical", {{0, -1}, {1, 1}, {-1, -1}}, {3, 2}),
                     test::token_block("words", {{0, 0}, {1, 0}, {0, 0}}),
                     test::number_block("gaussian", {{1.5}, {test::kNoNumber}, {2}}, 1)});
  const std::vector<CellPlace> expected = {{0, 0, 1}, {1, 2, 0}, {2, 0, 0}, {2, 0, 1}};
  EXPECT_EQ(missing_cells(data, 4), expected);
  EXPECT_THROW((void)missing_cells(data, 3), InputError);
}

TEST(MissingCells, AReplicateIsNoSecondCell) {
  Dataset data = test::dataset({test::level_block("categorical", {{0, -1}}, {3, 2})});
  data.blocks[0].slot = {0, 2};
  data.blocks[0].row_start = {0, 2};
  EXPECT_EQ(missing_cells(data, 1), (std::vector<CellPlace>{{0, 0, 1}}));
}

}  // namespace
}  // namespace medley
