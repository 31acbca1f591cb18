// SPDX-License-Identifier: Apache-2.0
#include "evaluate/feature_columns.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "support/toy.hpp"

namespace medley::evaluation {
namespace {

const double kNone = std::nan("");

const Dataset kData = test::dataset(
    {test::level_block("categorical", {{0, 1, -1}, {2, -1, -1}, {1, 0, 0}, {2, 1, -1}}, {3, 2, 2}),
     test::token_block("words", {{1, 2}, {1, 0}, {0, 3}, {1, 1}}),
     test::real_block("gaussian", {{1, 2}, {kNone, 3}, {4, kNone}, {kNone, 5}}, 2),
     test::level_block("bernoulli", {{0}, {0}, {0}, {0}}, {1})});

TEST(FeatureColumns, HoldWhatTheRowsSay) {
  const FeatureColumns got = feature_columns(kData, 2, 1e9);
  ASSERT_EQ(got.column.size(), 5U);  // not the words, nor what has one level
  EXPECT_EQ(got.left_out, 1U);
  EXPECT_EQ(got.column[1].about->name, "q1");
  EXPECT_EQ(got.column[1].row, (std::vector<std::uint32_t>{0, 2, 3}));
  EXPECT_EQ(got.column[1].level, (std::vector<std::uint32_t>{1, 0, 1}));
  EXPECT_EQ(got.column[4].row, (std::vector<std::uint32_t>{0, 1, 3}));
  EXPECT_EQ(got.column[4].value, (std::vector<double>{2, 3, 5}));
  EXPECT_TRUE(got.column[4].is_number());
  std::vector<std::pair<std::size_t, std::size_t>> common;
  for_common_rows(got.column[1], got.column[4],
                  [&](std::size_t i, std::size_t j) { common.emplace_back(i, j); });
  EXPECT_EQ(common, (std::vector<std::pair<std::size_t, std::size_t>>{{0, 0}, {2, 2}}));
}

// q0 has 4 cells, q1 and x1 3, x0 2, q2 1. q0 with q1: 7 cells and 3 x 2 x K steps; x1 with both:
// its cells twice, theirs, K steps for each level, and its cells for each level.
TEST(FeatureColumns, TheLeastObservedAreLeftOutWhereTheWorkIsTooMuch) {
  const double first_pair = 7 + 3 * 2 * 2, then = 2 * 3 + 7 + 2 * 5 + 3 * 5;
  const FeatureColumns two = feature_columns(kData, 2, first_pair);
  ASSERT_EQ(two.column.size(), 2U);
  EXPECT_EQ(two.column[0].about->name, "q0");
  EXPECT_EQ(two.column[1].about->name, "q1");
  EXPECT_EQ(two.left_out, 4U);
  EXPECT_EQ(feature_columns(kData, 2, first_pair + then - 1).column.size(), 2U);
  const FeatureColumns three = feature_columns(kData, 2, first_pair + then);
  ASSERT_EQ(three.column.size(), 3U);
  EXPECT_EQ(three.column[2].about->name, "x1");
}

}  // namespace
}  // namespace medley::evaluation
