// SPDX-License-Identifier: Apache-2.0
#include "data/distinct.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <tuple>

#include "support/toy.hpp"

namespace medley::data {
namespace {

using Cells = std::vector<std::tuple<std::size_t, std::uint32_t, float>>;  // block, slot, weight

Cells cells_of(const Dataset& data, std::size_t row) {
  Cells cells;
  for (std::size_t b = 0; b < data.blocks.size(); ++b) {
    const Block& block = data.blocks[b];
    for (std::uint64_t c = block.row_start[row]; c < block.row_start[row + 1]; ++c)
      cells.emplace_back(b, block.slot[c], block.weight_of(c));
  }
  return cells;
}

// A few answers and a few words, so that equal rows are common.
Dataset random_rows() {
  const auto rows = *rc::gen::inRange<std::size_t>(1, 60);
  std::vector<std::vector<int>> answers, words;
  Dataset data;
  for (std::size_t row = 0; row < rows; ++row) {
    answers.push_back(*rc::gen::container<std::vector<int>>(2, rc::gen::inRange(-1, 2)));
    words.push_back(*rc::gen::container<std::vector<int>>(2, rc::gen::inRange(0, 3)));
    data.row_weight.push_back(*rc::gen::inRange(0, 5));
  }
  data.rows = rows;
  data.blocks = {test::level_block("bernoulli", answers, {2, 2}), test::token_block("text", words)};
  return data;
}

RC_GTEST_PROP(DistinctRows, PatternsAreTheDistinctRowsInOrderOfFirstAppearance, ()) {
  const Dataset all = random_rows();
  const DistinctRows distinct = distinct_rows(all);
  std::map<Cells, std::uint32_t> order;
  RC_ASSERT(distinct.pattern.size() == all.rows);
  for (std::size_t row = 0; row < all.rows; ++row) {
    const Cells cells = cells_of(all, row);
    const auto next = static_cast<std::uint32_t>(order.size());
    const std::uint32_t expected = order.try_emplace(cells, next).first->second;
    RC_ASSERT(distinct.pattern[row] == expected);
    RC_ASSERT(cells_of(distinct.data, expected) == cells);
  }
  RC_ASSERT(distinct.data.rows == order.size());
}

RC_GTEST_PROP(DistinctRows, WeightsAreSummedPatternByPattern, ()) {
  const Dataset all = random_rows();
  const DistinctRows distinct = distinct_rows(all);
  std::vector<double> expected(distinct.data.rows, 0.0);
  for (std::size_t row = 0; row < all.rows; ++row)
    expected[distinct.pattern[row]] += all.weight_of(row);
  RC_ASSERT(distinct.data.row_weight == expected);
  RC_ASSERT(std::accumulate(expected.begin(), expected.end(), 0.0) ==
            std::accumulate(all.row_weight.begin(), all.row_weight.end(), 0.0));
}

TEST(DistinctRows, RowsWithoutWeightsCountOnce) {
  const Dataset all =
      test::dataset({test::level_block("bernoulli", {{0, 1}, {1, 1}, {0, 1}, {0, 1}}, {2, 2})});
  const DistinctRows distinct = distinct_rows(all);
  EXPECT_EQ(distinct.data.row_weight, (std::vector<double>{3, 1}));
  EXPECT_EQ(distinct.pattern, (std::vector<std::uint32_t>{0, 1, 0, 0}));
}

TEST(DistinctRows, RowsThatDifferOnlyInACountAreKeptApart) {
  const Dataset all = test::dataset({test::token_block("text", {{1, 2}, {1, 3}, {2, 1}, {1, 2}})});
  EXPECT_EQ(distinct_rows(all).pattern, (std::vector<std::uint32_t>{0, 1, 2, 0}));
}

TEST(DistinctRows, RowsThatDifferOnlyInOneBlockAreKeptApart) {
  const Dataset all = test::dataset({test::level_block("bernoulli", {{0}, {0}, {0}, {-1}}, {2}),
                                     test::level_block("categorical", {{1}, {2}, {-1}, {0}}, {3})});
  EXPECT_EQ(distinct_rows(all).pattern, (std::vector<std::uint32_t>{0, 1, 2, 3}));
}

// The same slot in another block is another answer.
TEST(DistinctRows, ACellThatMovesToAnotherBlockIsAnotherRow) {
  const Dataset all = test::dataset({test::level_block("bernoulli", {{0}, {-1}}, {2}),
                                     test::level_block("bernoulli", {{-1}, {0}}, {2})});
  EXPECT_EQ(distinct_rows(all).data.rows, 2U);
}

TEST(DistinctRows, RowsThatDifferOnlyInAMeasurementAreKeptApart) {
  Block block;
  block.encoding = Encoding::real;
  block.first_slot = {0, 1};
  block.row_start = {0, 1, 2, 3};
  block.slot = {0, 0, 0};
  block.value = {1.5, 1.25, 1.5};
  const DistinctRows distinct = distinct_rows(test::dataset({block}));
  EXPECT_EQ(distinct.pattern, (std::vector<std::uint32_t>{0, 1, 0}));
  EXPECT_EQ(distinct.data.blocks[0].value, (std::vector<double>{1.5, 1.25}));
}

TEST(DistinctRows, EmptyRowsAreOnePatternOfTheirOwn) {
  const Dataset all = test::dataset(
      {test::level_block("bernoulli", {{-1, -1}, {0, -1}, {-1, -1}, {-1, 0}}, {2, 2})});
  const DistinctRows distinct = distinct_rows(all);
  EXPECT_EQ(distinct.pattern, (std::vector<std::uint32_t>{0, 1, 0, 2}));
  EXPECT_EQ(distinct.data.observed(0), 0.0);
  EXPECT_EQ(distinct.data.row_weight, (std::vector<double>{2, 1, 1}));
}

TEST(DistinctRows, NoRowsGiveNoPatterns) {
  const Dataset all = test::dataset({test::level_block("bernoulli", {}, {2})});
  EXPECT_EQ(distinct_rows(all).data.rows, 0U);
}

}  // namespace
}  // namespace medley::data
