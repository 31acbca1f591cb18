// SPDX-License-Identifier: Apache-2.0
#include "report/answers.hpp"

#include <gtest/gtest.h>

#include "report/hand_made.hpp"

namespace medley::report {
namespace {

TEST(Answers, TheMostDivergentAnswerComesFirst) {
  const Answers answers = distinctive_answers(hand_made::survey(), 0, 0.5, 8);
  ASSERT_EQ(answers.shown.size(), 2U);
  EXPECT_EQ(answers.shown[0].feature, 0U);
  EXPECT_EQ(answers.shown[0].slot, 1U);  // smokes = yes
  EXPECT_EQ(answers.shown[1].slot, 4U);  // mood = bad
  EXPECT_DOUBLE_EQ(answers.shown[0].lift(), 1.9);
}

TEST(Answers, AFeatureLikeThePopulationIsCountedNotListed) {
  const Answers answers = distinctive_answers(hand_made::survey(), 1, 0.5, 8);
  EXPECT_EQ(answers.alike, 1U);
  EXPECT_EQ(answers.differing, 0U);
}

TEST(Answers, WhatDoesNotFitIsCountedAsDiffering) {
  const Answers answers = distinctive_answers(hand_made::survey(), 0, 0.5, 1);
  EXPECT_EQ(answers.shown.size(), 1U);
  EXPECT_EQ(answers.differing, 1U);
  EXPECT_EQ(answers.alike, 1U);
}

TEST(Answers, AFeatureSeenTwiceDoesNotLeadTheList) {
  const auto block =
      hand_made::block("b", "categorical", {{"seldom", {"a", "b"}}, {"often", {"a", "b"}}},
                       {{1.0, 0.0}, {0.0, 1.0}, {0.9, 0.1}, {0.1, 0.9}}, {1, 1, 500, 500});
  const Answers answers = distinctive_answers(block, 0, 0.5, 8);
  ASSERT_GE(answers.shown.size(), 1U);
  EXPECT_EQ(answers.shown[0].feature, 1U);
}

TEST(Answers, AnAnswerNobodyGaveIsNotListed) {
  const auto block =
      hand_made::block("b", "categorical", {{"q", {"a", "b"}}}, {{0.5, 0.5}, {0.5, 0.5}}, {10, 0});
  EXPECT_TRUE(distinctive_answers(block, 0, 1, 8).shown.empty());
}

}  // namespace
}  // namespace medley::report
