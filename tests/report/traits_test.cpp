// SPDX-License-Identifier: Apache-2.0
#include "report/traits.hpp"

#include <gtest/gtest.h>

#include "report/hand_made.hpp"

namespace medley::report {
namespace {

Traits traits_of(const model::ModelBlock& block, std::size_t component, double size,
                 std::size_t top) {
  const model::ModelBlock* const blocks[] = {&block};
  return distinctive_traits(blocks, component, size, top);
}

TEST(Traits, TheMostDivergentAnswerComesFirst) {
  const Traits traits = traits_of(hand_made::survey(), 0, 0.5, 8);
  ASSERT_EQ(traits.shown.size(), 2U);
  EXPECT_EQ(traits.shown[0].feature, 0U);
  EXPECT_EQ(traits.shown[0].slot, 1U);  // smokes = yes
  EXPECT_EQ(traits.shown[1].slot, 4U);  // mood = bad
  EXPECT_DOUBLE_EQ(traits.shown[0].lift(), 1.9);
}

TEST(Traits, AFeatureLikeThePopulationIsCountedNotListed) {
  const Traits traits = traits_of(hand_made::survey(), 1, 0.5, 8);
  EXPECT_EQ(traits.alike, 1U);
  EXPECT_EQ(traits.differing, 0U);
}

TEST(Traits, WhatDoesNotFitIsCountedAsDiffering) {
  const Traits traits = traits_of(hand_made::survey(), 0, 0.5, 1);
  EXPECT_EQ(traits.shown.size(), 1U);
  EXPECT_EQ(traits.differing, 1U);
  EXPECT_EQ(traits.alike, 1U);
}

TEST(Traits, AFeatureSeenTwiceDoesNotLeadTheList) {
  const auto block =
      hand_made::block("b", "categorical", {{"seldom", {"a", "b"}}, {"often", {"a", "b"}}},
                       {{1.0, 0.0}, {0.0, 1.0}, {0.9, 0.1}, {0.1, 0.9}}, {1, 1, 500, 500});
  const Traits traits = traits_of(block, 0, 0.5, 8);
  ASSERT_GE(traits.shown.size(), 1U);
  EXPECT_EQ(traits.shown[0].feature, 1U);
}

TEST(Traits, AnAnswerNobodyGaveIsNotListed) {
  const auto block =
      hand_made::block("b", "categorical", {{"q", {"a", "b"}}}, {{0.5, 0.5}, {0.5, 0.5}}, {10, 0});
  EXPECT_TRUE(traits_of(block, 0, 1, 8).shown.empty());
}

}  // namespace
}  // namespace medley::report
