// SPDX-License-Identifier: Apache-2.0
#include "data/detect_columns.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "data/summaries.hpp"

namespace medley::data {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

using Counts = std::map<std::string, int>;

SuspectedCodes suspected(const Counts& counts) {
  return suspected_codes(testing::sample_of_counts(counts).summary);
}

// Every whole number of [from, to] as often as said.
Counts run(int from, int to, int count) {
  Counts counts;
  for (int i = from; i <= to; ++i) counts[std::to_string(i)] = count;
  return counts;
}

Counts with(Counts counts, const Counts& more) {
  counts.insert(more.begin(), more.end());
  return counts;
}

TEST(DetectCodes, FarFromTheOtherValues) {
  const SuspectedCodes codes = suspected(with(run(20, 64, 3), {{"999", 41}}));
  EXPECT_THAT(codes.texts, ElementsAre("999"));
  EXPECT_EQ(codes.why, "999 occurs 41 times, far from the other values (20 to 64)");
  EXPECT_THAT(suspected({{"0.5", 3}, {"0.25", 3}, {"0.75", 2}, {"-9", 2}}).texts,
              ElementsAre("-9"));
  EXPECT_THAT(suspected(with(run(18, 65, 4), {{"99", 5}})).texts, ElementsAre("99"));
}

TEST(DetectCodes, SeveralAtOnceAndAtBothEnds) {
  const SuspectedCodes codes = suspected(with(run(1, 5, 30), {{"98", 2}, {"99", 7}}));
  EXPECT_THAT(codes.texts, ElementsAre("98", "99"));
  EXPECT_EQ(codes.why, "98 and 99 occur 9 times, past the answers 1 to 5");
  EXPECT_THAT(suspected(with(run(0, 20, 3), {{"-1", 4}, {"-9", 3}, {"999", 5}})).texts,
              ElementsAre("-1", "-9", "999"));
}

TEST(DetectCodes, PastARunOfAnswers) {
  EXPECT_THAT(suspected(with(run(1, 5, 30), {{"8", 6}, {"9", 2}})).texts, ElementsAre("8", "9"));
  EXPECT_THAT(suspected(with(run(0, 6, 30), {{"9", 5}})).texts, ElementsAre("9"));
  EXPECT_THAT(suspected(with(run(1, 6, 30), {{"9", 1}})).texts, IsEmpty());
  EXPECT_THAT(suspected(with(run(1, 6, 30), {{"9", 4}})).texts, IsEmpty());  // may be a tail
  EXPECT_THAT(suspected(run(1, 9, 30)).texts, IsEmpty());
  EXPECT_THAT(suspected(run(1, 8, 30)).texts, IsEmpty());
}

TEST(DetectCodes, TheOnlyNegativeValue) {
  EXPECT_EQ(suspected(with(run(0, 300, 1), {{"-1", 40}})).why,
            "-1 occurs 40 times, the only negative value");
  EXPECT_THAT(suspected(run(-1, 1, 30)).texts, IsEmpty());   // a scale
  EXPECT_THAT(suspected(run(-9, 40, 30)).texts, IsEmpty());  // degrees
}

TEST(DetectCodes, OrdinaryColumnsHoldNone) {
  EXPECT_THAT(suspected(with(run(1, 98, 5), {{"99", 85}})).texts, IsEmpty());  // hours a week
  EXPECT_THAT(suspected({{"3", 50}, {"6", 20}, {"7", 40}}).texts, IsEmpty());
  EXPECT_THAT(suspected({{"0", 50}, {"99", 20}}).texts, IsEmpty());  // one value would be left
  EXPECT_THAT(suspected(with(run(1, 5, 9), {{"99", 1}})).texts, IsEmpty());
  EXPECT_THAT(suspected(with(run(1, 5, 9), {{"50", 9}})).texts, IsEmpty());  // nobody's code
  EXPECT_THAT(suspected({{"a", 5}, {"b", 5}, {"99", 5}}).texts, IsEmpty());
}

}  // namespace
}  // namespace medley::data
