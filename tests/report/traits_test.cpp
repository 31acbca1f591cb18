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

// A block of two normal columns with a given marginal, mean and variance per component.
model::ModelBlock heights(const std::vector<families::Moments>& tall,
                          const std::vector<families::Moments>& wide) {
  const families::FamilyEntry* entry = families::find("gaussian");
  model::ModelBlock block;
  block.shape.name = "data.gaussian";
  block.shape.family = "gaussian";
  block.shape.encoding = Encoding::real;
  block.shape.features = {{"tall"}, {"wide"}};
  block.shape.first_slot = {0, 1, 2};
  block.total = {1000, 1000};
  const auto make = [&](std::size_t first, std::size_t count) {
    auto family = entry->make(block.shape, count);
    std::vector<double> values(family->parameters().begin(), family->parameters().end());
    constexpr std::size_t kRows = 4;  // mean and variance, and those of the whole column
    for (std::size_t k = 0; k < count; ++k) {
      const families::Moments moments[] = {tall[first + k], wide[first + k]};
      for (std::size_t f = 0; f < 2; ++f) {
        values[f * kRows * family->padded() + k] = moments[f].mean;
        values[(f * kRows + 1) * family->padded() + k] = moments[f].variance;
      }
    }
    family->set_parameters(values);
    return family;
  };
  block.marginal = make(0, 1);
  block.family = make(1, tall.size() - 1);
  return block;
}

TEST(Traits, NumbersAreRankedByHowFarTheirMeanLies) {
  const auto block = heights({{10, 4}, {12, 4}, {8, 4}}, {{0, 1}, {0.1, 0.01}, {0, 1}});
  const Traits first = traits_of(block, 0, 0.5, 8);
  ASSERT_EQ(first.shown.size(), 2U);
  EXPECT_EQ(first.shown[0].feature, 0U);
  EXPECT_DOUBLE_EQ(first.shown[0].distance(), 1.0);
  EXPECT_EQ(first.shown[1].feature, 1U);  // hardly moved, but with another spread
  const Traits second = traits_of(block, 1, 0.5, 8);
  ASSERT_EQ(second.shown.size(), 1U);
  EXPECT_DOUBLE_EQ(second.shown[0].distance(), -1.0);
  EXPECT_EQ(second.alike, 1U);
}

TEST(Traits, NumbersAndAnswersAreOneList) {
  const auto numbers = heights({{10, 4}, {10.4, 4}, {9.6, 4}}, {{0, 1}, {3, 1}, {-3, 1}});
  const auto answers = hand_made::survey();
  const model::ModelBlock* const blocks[] = {&answers, &numbers};
  const Traits traits = distinctive_traits(blocks, 0, 0.5, 3);
  ASSERT_EQ(traits.shown.size(), 3U);
  EXPECT_TRUE(traits.shown[0].is_number());  // three standard deviations off
  EXPECT_FALSE(traits.shown[1].is_number());
  EXPECT_EQ(traits.differing, 1U);  // tall
  EXPECT_EQ(traits.alike, 1U);      // same
}

}  // namespace
}  // namespace medley::report
