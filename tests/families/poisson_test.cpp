// SPDX-License-Identifier: Apache-2.0
// Poisson: rates as smoothed averages, their floor, and draws at small and large rates.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "families/one_column.hpp"

namespace medley::families {
namespace {

TEST(Poisson, RateIsTheAverageAndSmoothingAddsAverageObservations) {
  OneColumn column{poisson_family, {0, 1, 5, 6}, 0, 2};  // mean 3
  column.learn({{1, 0}, {1, 0}, {0, 1}, {0, 1}}, 0);
  EXPECT_NEAR(column.parameter("rate", 0), 0.5, 1e-15);
  EXPECT_NEAR(column.parameter("rate", 1), 5.5, 1e-14);
  column.learn({{1, 0}, {1, 0}, {0, 1}, {0, 1}}, 0.5);
  EXPECT_NEAR(column.parameter("rate", 0), (1 + 0.5 * 3) / 2.5, 1e-14);
  EXPECT_NEAR(column.parameter("rate", 1), (11 + 0.5 * 3) / 2.5, 1e-14);
}

TEST(Poisson, AShiftOfOneCountsFromOne) {
  OneColumn column{poisson_family, {1, 2, 6}, 1};
  column.learn();
  EXPECT_NEAR(column.parameter("rate"), 2, 1e-15);
  EXPECT_NEAR(column.family->numbers()->moments(0, 0).mean, 3, 1e-15);
  EXPECT_NEAR(column.log_densities({1})[0], -2, 1e-15);
}

TEST(Poisson, RateStopsAtItsFloor) {
  OneColumn column{poisson_family, {0, 0, 4}, 0, 1};
  column.learn({{1}, {1}, {0}}, 0);
  EXPECT_EQ(column.parameter("rate"), 1e-8);
  EXPECT_NEAR(column.log_densities({1})[0], std::log(1e-8), 1e-7);
}

TEST(Poisson, LogFactorialsOfLargeCounts) {
  OneColumn column{poisson_family, {300}};
  for (const double y : {255.0, 256.0, 1000.0, 1e6}) {
    const double truth = y * std::log(300.0) - 300 - std::lgamma(y + 1);
    EXPECT_NEAR(column.log_densities({y})[0], truth, 1e-13 * std::lgamma(y + 1));
  }
}

// Chi-square over the counts with 5 or more expected draws: with f degrees of freedom it exceeds
// f + 5 sqrt(2 f) + 12 less than once in ten thousand.
TEST(Poisson, DrawsFollowTheProbabilitiesAtEveryRate) {
  constexpr int kDraws = 20000;
  for (const double rate : {1e-8, 0.3, 4.0, 9.99, 10.0, 12.5, 31.0, 400.0, 1e5}) {
    const OneColumn column{poisson_family, {1, 2}};
    column.set(0, rate);
    std::map<double, int> count;
    for (int i = 0; i < kDraws; ++i) {
      core::Rng rng(5, 9, static_cast<std::uint64_t>(i));
      ++count[column.family->draw(0, 0, rng).value];
    }
    double chi_square = 0, rest = kDraws, rest_counted = kDraws;
    int cells = 0;
    const double far = 10 * std::sqrt(rate) + 20;
    for (double y = std::max(0.0, std::floor(rate - far)); y < rate + far; ++y) {
      const double expected = kDraws * std::exp(column.log_densities({y})[0]);
      if (expected < 5) continue;
      const int counted = count.contains(y) ? count[y] : 0;
      chi_square += std::pow(counted - expected, 2) / expected;
      rest -= expected;
      rest_counted -= counted;
      ++cells;
    }
    if (rest > 5) chi_square += std::pow(rest_counted - rest, 2) / rest;
    EXPECT_LT(chi_square, cells + 5 * std::sqrt(2.0 * cells) + 12) << rate;
    EXPECT_GT(cells, 0);
  }
}

TEST(Poisson, TakesWholeNumbersFromZero) {
  EXPECT_EQ(poisson_family.refusal(0), "");
  EXPECT_EQ(poisson_family.refusal(17), "");
  EXPECT_EQ(poisson_family.refusal(-2), "is below 0; poisson takes whole numbers from 0");
  EXPECT_EQ(poisson_family.refusal(2.5),
            "is not a whole number; poisson takes whole numbers from 0");
  EXPECT_NE(poisson_family.refusal(1e16), "");
}

}  // namespace
}  // namespace medley::families
