// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "medley/evaluate.hpp"
#include "report/hand_made.hpp"

namespace medley {
namespace {

using testing::HasSubstr;
using testing::Not;

Model two_profiles() {
  std::vector<model::ModelBlock> blocks;
  blocks.push_back(hand_made::survey());
  return hand_made::model(std::move(blocks), {0.6, 0.4});
}

Quality some_quality() {
  Quality q;
  q.rows = 10;
  q.profile = {{0.6, 0.7, 1, 0.25}, {0.4, 0.3, 0, 0.25}};
  q.effective_profiles = 1.96;
  q.profiles_per_row = 1.2;
  q.smallest = 1;
  return q;
}

TEST(DescribeQuality, ProfilesBesideTheirNearest) {
  const std::string text = describe(some_quality(), two_profiles());
  EXPECT_THAT(text, HasSubstr("0.250  Profile 2"));
  EXPECT_THAT(text, HasSubstr("count as 2.0 equal ones; a row typically holds 1.2"));
  EXPECT_THAT(text, Not(HasSubstr("warning")));
  EXPECT_THAT(text, Not(HasSubstr("NPMI")));
}

TEST(DescribeQuality, WarnsOfNearCopies) {
  Quality q = some_quality();
  q.copies = {{0, 1, 0.02, 0.93}};
  EXPECT_THAT(describe(q, two_profiles()),
              HasSubstr("warning: Profile 1 and Profile 2 are near copies"));
}

TEST(DescribeQuality, TopicsWithoutPairsHaveNoCoherence) {
  Quality q = some_quality();
  TopicTable table;
  table.block = "text";
  table.documents = 3;
  table.topic = {{{"cat", "dog"}, -0.5, 0.25, 0.8, 1, 0}, {{"x\x1b"}, 0, 0, 0.9, 0, 1}};
  table.npmi = 0.25;
  table.umass = -0.5;
  table.scored = 1;
  table.exclusivity = 0.85;
  table.diversity = 1;
  q.topics = {table};
  const std::string text = describe(q, two_profiles());
  EXPECT_THAT(text, HasSubstr("0.250     -0.500       80 %  cat dog\n"));
  EXPECT_THAT(text, HasSubstr("        -          -       90 %"));
  EXPECT_THAT(text, HasSubstr("1 top word in no document"));
  EXPECT_THAT(text, Not(HasSubstr("\x1b")));
}

TEST(DescribeAbsoluteFit, PatternsPairsAndFigures) {
  AbsoluteFit fit;
  fit.patterns.features = {"a", "b"};
  fit.patterns.rows = 20;
  fit.patterns.incomplete = 1;
  fit.patterns.distinct = 3;
  fit.patterns.least_count = 5;
  fit.patterns.pattern = {{{"0", "1"}, 12, 9, 0, 1}, {{"1", "1"}, 6, 6, 0, 0}};
  fit.patterns.rest_observed = 2;
  fit.pairs.level_pairs = 1;
  fit.pairs.level_pairs_beyond = 1;
  fit.pairs.levels = {{"a", "b", 20, 9.5, true, "0", "1", 12, 9}};
  fit.checks.replicates = 50;
  fit.checks.check = {
      {PredictiveCheck::Figure::zero_share, "visits", "", 0.5, 0.2, 0.1, 0.3, 0.04, true}};
  const std::string text = describe(fit);
  EXPECT_THAT(text, HasSubstr("2 of 3 occur at least 5 times in 20 complete rows (1 row with"));
  EXPECT_THAT(text, HasSubstr("01  "));
  EXPECT_THAT(text, HasSubstr("1 of 1 pairs is off by more than chance"));
  EXPECT_THAT(text, HasSubstr("0 and 1: 12, 9.0"));
  EXPECT_THAT(text, HasSubstr("more zeros than the model expects"));
  EXPECT_THAT(text, HasSubstr("50.0 %"));
}

TEST(DescribeAbsoluteFit, InWords) {
  PredictiveCheck check;
  check.observed = 2;
  check.mean = 1;
  check.low = 0.5;
  check.high = 1.5;
  using Figure = PredictiveCheck::Figure;
  EXPECT_EQ(in_words(check), "higher than the model expects");
  check.figure = Figure::absent_share;
  EXPECT_EQ(in_words(check), "in fewer documents than the model expects");
  check.observed = 0;
  EXPECT_EQ(in_words(check), "in more documents than the model expects");
  check.observed = 1;
  EXPECT_EQ(in_words(check), "as the model expects");
}

}  // namespace
}  // namespace medley
