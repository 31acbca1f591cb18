// SPDX-License-Identifier: Apache-2.0
// Means, their errors and those of differences on numbers made by hand.
#include "choose/paired.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace medley::choose {
namespace {

const std::vector<double> kOnes(4, 1.0);

TEST(Paired, MeanAndErrorAreThoseOfASample) {
  const std::vector<double> values = {1, 2, 3, 6};
  const MeanError found = weighted_mean(values, kOnes);
  EXPECT_DOUBLE_EQ(found.mean, 3);
  EXPECT_NEAR(found.error, std::sqrt(14.0 / 3 / 4), 1e-12);  // squares 4 + 1 + 0 + 9
}

TEST(Paired, ARowWithoutWeightIsNotThere) {
  const std::vector<double> values = {1, 2, 3, 6, 1e9}, weights = {1, 1, 1, 1, 0};
  const MeanError found = weighted_mean(values, weights);
  EXPECT_DOUBLE_EQ(found.mean, 3);
  EXPECT_NEAR(found.error, std::sqrt(14.0 / 12), 1e-12);
  const std::vector<double> two = {1, 4}, uneven = {2, 1};
  EXPECT_DOUBLE_EQ(weighted_mean(two, uneven).mean, 2);
  // n/(n-1) sum w^2 d^2 / (sum w)^2 = 2 (4 + 4) / 9
  EXPECT_NEAR(weighted_mean(two, uneven).error, std::sqrt(16.0 / 9), 1e-12);
}

TEST(Paired, WhatAllRowsShareCancelsInADifference) {
  const std::vector<double> a = {100, -100, 50, 0}, b = {99, -101, 49, -1};
  EXPECT_DOUBLE_EQ(weighted_difference(a, b, kOnes).mean, 1);
  EXPECT_DOUBLE_EQ(weighted_difference(a, b, kOnes).error, 0);
}

TEST(Paired, AllAreComparedWithTheBest) {
  const std::vector<std::vector<double>> scores = {{-3, -3, -3, -3}, {-4, 0, 0, 0}, {0, 0, 0, 0}};
  const Behind behind = behind_the_best(scores, kOnes);
  EXPECT_EQ(behind.best, 2U);
  EXPECT_DOUBLE_EQ(behind.by[0].mean, 3);
  EXPECT_DOUBLE_EQ(behind.by[0].error, 0);
  EXPECT_DOUBLE_EQ(behind.by[1].mean, 1);
  EXPECT_DOUBLE_EQ(behind.by[1].error, 1);
  EXPECT_DOUBLE_EQ(behind.by[2].mean, 0);
}

}  // namespace
}  // namespace medley::choose
