// SPDX-License-Identifier: Apache-2.0
// Clusters matched to classes, on tables of counts small enough to be worked out by hand.
#include "evaluate/match.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <numeric>

#include "medley/error.hpp"

namespace medley::evaluation {
namespace {

using Classes = std::vector<std::int32_t>;

// counts[cluster][class], and rows of an unknown class in cluster 0.
Grouping rows_of(const std::vector<std::vector<int>>& counts, int unknown = 0) {
  Grouping out;
  out.components = counts.size();
  out.class_count = counts[0].size();
  for (std::size_t k = 0; k < counts.size(); ++k) {
    for (std::size_t c = 0; c < counts[k].size(); ++c) {
      out.clusters.insert(out.clusters.end(), static_cast<std::size_t>(counts[k][c]), k);
      out.classes.insert(out.classes.end(), static_cast<std::size_t>(counts[k][c]),
                         static_cast<std::int32_t>(c));
    }
  }
  out.clusters.insert(out.clusters.end(), static_cast<std::size_t>(unknown), 0);
  out.classes.insert(out.classes.end(), static_cast<std::size_t>(unknown), -1);
  return out;
}

double accuracy(const Grouping& rows, const Classes& class_of) {
  return truth_scores("t", rows, class_of).accuracy;
}

// Both clusters are mostly of class 1; one to one, only one of them can have it: 4 + 3 beats 5 + 1.
TEST(Match, MajorityAndOneToOneDiffer) {
  const Grouping rows = rows_of({{3, 4}, {1, 5}});
  EXPECT_EQ(match_classes(rows, Match::majority), (Classes{1, 1}));
  EXPECT_DOUBLE_EQ(accuracy(rows, {1, 1}), 9.0 / 13);
  EXPECT_EQ(match_classes(rows, Match::hungarian), (Classes{0, 1}));
  EXPECT_DOUBLE_EQ(accuracy(rows, {0, 1}), 8.0 / 13);
  EXPECT_EQ(match_classes(rows, Match::identity), (Classes{0, 1}));
}

TEST(Match, TiesUnknownClassesAndEmptyClusters) {
  const Grouping rows = rows_of({{2, 2, 0}, {0, 0, 0}, {0, 1, 3}}, 5);
  EXPECT_EQ(match_classes(rows, Match::majority), (Classes{0, -1, 2}));
  const TruthScores scores = truth_scores("t", rows, match_classes(rows, Match::majority));
  EXPECT_EQ(scores.rows, 8U);
  EXPECT_DOUBLE_EQ(scores.accuracy, 5.0 / 8);
  EXPECT_DOUBLE_EQ(scores.micro_precision, 5.0 / 8);
}

TEST(Match, MoreComponentsThanClassesAndFewer) {
  const Grouping many = rows_of({{1, 0}, {0, 7}, {6, 5}});
  EXPECT_EQ(match_classes(many, Match::hungarian), (Classes{-1, 1, 0}));
  EXPECT_EQ(match_classes(many, Match::identity), (Classes{0, 1, -1}));
  EXPECT_DOUBLE_EQ(accuracy(many, {0, 1, -1}), 8.0 / 19);
  const Grouping few = rows_of({{1, 2, 3}});
  EXPECT_EQ(match_classes(few, Match::hungarian), (Classes{2}));
  EXPECT_THROW((void)match_classes(few, Match::identity), InputError);
}

// Learnt elsewhere: cluster 1 stood for class 0 there.
TEST(Match, AccuracyIsByTheClassesGiven) {
  EXPECT_DOUBLE_EQ(accuracy(rows_of({{2, 1}, {4, 3}}), {1, 0}), 5.0 / 10);
  EXPECT_DOUBLE_EQ(accuracy(rows_of({{0, 0}, {0, 0}}), {1, 0}), 0.0);
}

// No relabelling does better one to one, and majority is the best of all maps.
RC_GTEST_PROP(Match, BestOfAllPermutations, ()) {
  constexpr std::size_t kSize = 4;
  std::vector<std::vector<int>> counts(kSize);
  for (auto& row : counts) {
    row = *rc::gen::container<std::vector<int>>(kSize, rc::gen::inRange(0, 6));
  }
  const Grouping rows = rows_of(counts);
  Classes order(kSize);
  std::iota(order.begin(), order.end(), 0);
  double best = 0;
  do best = std::max(best, accuracy(rows, order));
  while (std::ranges::next_permutation(order).found);
  RC_ASSERT(accuracy(rows, match_classes(rows, Match::hungarian)) == best);
  const TruthScores most = truth_scores("t", rows, match_classes(rows, Match::majority));
  RC_ASSERT(std::abs(most.accuracy - most.micro_precision) < 1e-12);
}

}  // namespace
}  // namespace medley::evaluation
