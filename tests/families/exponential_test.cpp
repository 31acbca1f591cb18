// SPDX-License-Identifier: Apache-2.0
// Exponential: smoothed rates, and components of nothing but zeros.
#include <gtest/gtest.h>

#include <cmath>

#include "families/one_column.hpp"

namespace medley::families {
namespace {

TEST(Exponential, RateIsOneOverTheSmoothedAverage) {
  OneColumn column{exponential_family, {1, 3, 8}};  // mean 4
  column.learn({{1}, {1}, {0}}, 0);
  EXPECT_NEAR(column.parameter("rate"), 0.5, 1e-15);
  column.learn({{1}, {1}, {0}}, 0.5);
  EXPECT_NEAR(column.parameter("rate"), 2.5 / (4 + 0.5 * 4), 1e-14);
}

TEST(Exponential, OnlyZerosStopAtTheLargestRate) {
  OneColumn column{exponential_family, {0, 0, 3}};  // mean 1
  column.learn({{1}, {1}, {0}}, 0);
  EXPECT_NEAR(column.parameter("rate"), 1e8, 1e-6);
  column.learn({{1}, {1}, {0}}, 1);  // two zeros and one observation of 1
  EXPECT_NEAR(column.parameter("rate"), 3, 1e-14);
}

// The limits go with the column's scale: metres or light years.
TEST(Exponential, LimitsFollowTheScaleOfTheColumn) {
  for (const double unit : {1e-30, 1.0, 1e30}) {
    OneColumn column{exponential_family, {0, 0, 3 * unit}};
    column.learn({{1}, {1}, {0}}, 0);
    EXPECT_NEAR(column.parameter("rate") * unit, 1e8, 1);
    column.learn();
    EXPECT_NEAR(column.parameter("rate") * unit, 1, 1e-14);
  }
}

TEST(Exponential, TakesNumbersFromZero) {
  EXPECT_EQ(exponential_family.refusal(0), "");
  EXPECT_EQ(exponential_family.refusal(0.25), "");
  EXPECT_EQ(exponential_family.refusal(-0.25), "is below 0; exponential takes numbers from 0");
}

}  // namespace
}  // namespace medley::families
