// SPDX-License-Identifier: Apache-2.0
// Geometric: smoothed probabilities, their limits, and the columns it is chosen for.
#include <gtest/gtest.h>

#include <cmath>

#include "families/one_column.hpp"

namespace medley::families {
namespace {

TEST(Geometric, ProbabilityIsSuccessesOverTrials) {
  OneColumn column{geometric_family, {0, 2, 4}};  // mean 2
  column.learn({{1}, {1}, {0}}, 0);
  EXPECT_NEAR(column.parameter("p"), 2.0 / 4, 1e-15);
  column.learn({{1}, {1}, {0}}, 0.5);
  EXPECT_NEAR(column.parameter("p"), 2.5 / (2.5 + 2 + 0.5 * 2), 1e-14);
}

TEST(Geometric, ProbabilityStaysWithinItsLimits) {
  OneColumn zeros{geometric_family, {0, 0, 5}};
  zeros.learn({{1}, {1}, {0}}, 0);
  EXPECT_EQ(zeros.parameter("p"), 1 - 1e-9);
  OneColumn large{geometric_family, {0, 1e14}};
  large.learn();
  EXPECT_EQ(large.parameter("p"), 1e-9);
}

TEST(Geometric, IsChosenForUnevenCounts) {
  data::ColumnFacts facts;
  facts.numeric = facts.integer = true;
  facts.rows = 1000;
  facts.distinct = 60;
  facts.maximum = 90;
  facts.mean = 9;
  facts.variance = 95;
  std::string why;
  EXPECT_GT(geometric_family.suits(facts, why), gaussian_family.suits(facts, why));
  EXPECT_EQ(poisson_family.suits(facts, why), 0.0);
  geometric_family.suits(facts, why);
  EXPECT_EQ(why, "uneven counts, 0 to 90");
  facts.variance = 1000;  // far more uneven still
  EXPECT_EQ(geometric_family.suits(facts, why), 0.0);
  facts.variance = 95;
  facts.minimum = 1;
  EXPECT_EQ(geometric_family.suits(facts, why), 0.0);
}

TEST(Geometric, TakesWholeNumbersFromZero) {
  EXPECT_EQ(geometric_family.refusal(0), "");
  EXPECT_EQ(geometric_family.refusal(-1), "is below 0; geometric takes whole numbers from 0");
  EXPECT_NE(geometric_family.refusal(0.5), "");
}

}  // namespace
}  // namespace medley::families
