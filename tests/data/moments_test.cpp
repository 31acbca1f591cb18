// SPDX-License-Identifier: Apache-2.0
#include "data/column_facts.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "data/summaries.hpp"

namespace medley::data {
namespace {

TEST(Moments, OfCountsThatCanBeDoneByHand) {
  // 0, 0, 0, 4: mean 1, m_2 = 3, m_3 = 6.
  const NumberMoments moments = moments_of({{0, 3}, {4, 1}});
  EXPECT_DOUBLE_EQ(moments.mean, 1);
  EXPECT_DOUBLE_EQ(moments.variance, 3);
  EXPECT_DOUBLE_EQ(moments.skewness, 6 / std::pow(3, 1.5));
}

TEST(Moments, AreStableFarFromZeroAndForHugeAndTinyNumbers) {
  const NumberMoments far = moments_of({{1e9, 3}, {1e9 + 4, 1}});
  EXPECT_NEAR(far.variance, 3, 1e-6);
  EXPECT_NEAR(far.skewness, 6 / std::pow(3, 1.5), 1e-6);
  const NumberMoments huge = moments_of({{-1.5e308, 1}, {1.5e308, 1}});
  EXPECT_EQ(huge.mean, 0);
  EXPECT_EQ(huge.skewness, 0);
  const NumberMoments tiny = moments_of({{0, 3}, {4e-300, 1}});
  EXPECT_DOUBLE_EQ(tiny.mean, 1e-300);
  EXPECT_DOUBLE_EQ(tiny.skewness, 6 / std::pow(3, 1.5));
}

TEST(Moments, OfNothingAndOfEqualNumbersHaveNoSpread) {
  EXPECT_EQ(moments_of({}).mean, 0);
  const NumberMoments equal = moments_of({{0.1, 7}});
  EXPECT_DOUBLE_EQ(equal.mean, 0.1);
  EXPECT_EQ(equal.variance, 0);
  EXPECT_EQ(equal.skewness, 0);
}

TEST(Facts, OfNumbersHoldTheMomentsOfTheCells) {
  // 1, 1, 1, e^2 as logarithms: 0, 0, 0, 2.
  const ColumnFacts facts =
      testing::sample({"1", "1.0", "7.38905609893065", "", "1"}).summary.facts;
  EXPECT_TRUE(facts.numeric);
  EXPECT_EQ(facts.missing, 1U);
  EXPECT_NEAR(facts.mean, (3 + std::exp(2)) / 4, 1e-12);
  EXPECT_NEAR(facts.log_skewness, 6 / std::pow(3, 1.5), 1e-9);
  EXPECT_EQ(testing::sample({"0", "5", "9"}).summary.facts.log_skewness, 0);
  EXPECT_EQ(testing::sample({"1", "5", "x"}).summary.facts.mean, 0);
}

}  // namespace
}  // namespace medley::data
