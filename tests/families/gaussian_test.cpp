// SPDX-License-Identifier: Apache-2.0
// Gaussian: weighted mean and variance, far from 0 too, and the floor under the variance.
#include <gtest/gtest.h>

#include <cmath>

#include "families/one_column.hpp"

namespace medley::families {
namespace {

TEST(Gaussian, MaximumIsTheWeightedMeanAndVariance) {
  OneColumn column{gaussian_family, {1, 2, 4, 9}, 0, 2};
  column.learn({{1, 0}, {1, 0.5}, {2, 0.5}, {0, 1}}, 0);
  // weights 1, 1, 2: mean 11/4, squares 1 + 4 + 32 = 37; weights 1/2, 1/2, 1 of 2, 4, 9
  EXPECT_NEAR(column.parameter("mu", 0), 2.75, 1e-14);
  EXPECT_NEAR(column.parameter("var", 0), 37.0 / 4 - 2.75 * 2.75, 1e-13);
  EXPECT_NEAR(column.parameter("mu", 1), 6, 1e-14);
  EXPECT_NEAR(column.parameter("var", 1), (4.0 / 2 + 16.0 / 2 + 81) / 2 - 36, 1e-13);
}

// Times in seconds since 1970: the variance is 16 digits below the squares of the numbers.
TEST(Gaussian, AFarMeanCostsNoDigits) {
  const double far = 1.7e9;
  OneColumn column{gaussian_family, {far + 0.25, far + 0.5, far + 1, far - 1.75}};
  column.learn();
  EXPECT_NEAR(column.parameter("mu") - far, 0, 1e-6);
  const double variance = (0.0625 + 0.25 + 1 + 3.0625) / 4;
  EXPECT_NEAR(column.parameter("var"), variance, 1e-12);
  EXPECT_NEAR(column.log_densities({far + 1})[0], test::normal_log_density(1, 0, variance), 1e-6);
}

TEST(Gaussian, VarianceStopsAtAThousandthOfTheColumns) {
  OneColumn column{gaussian_family, {0, 0, 0, 10, 10, 10}, 0, 2};  // variance 25
  column.learn({{1, 0}, {1, 0}, {1, 0}, {0, 1}, {0, 1}, {0, 1}}, 0);
  for (const std::size_t k : {0U, 1U}) {
    EXPECT_EQ(column.parameter("mu", k), k == 0 ? 0.0 : 10.0);
    EXPECT_NEAR(column.parameter("var", k), 0.025, 1e-15);
  }
}

// Quartiles 100 and 600: a usual variance of (500 / 1.349)^2 whatever the last value is.
TEST(Gaussian, OneValueFarAwayDoesNotRaiseTheFloor) {
  const double usual = (500 / 1.3489795003921634) * (500 / 1.3489795003921634);
  for (const double far : {1e4, 1e7}) {
    OneColumn column{gaussian_family, {0, 100, 200, 300, 400, 500, 600, far}, 0, 2};
    column.learn({{1, 0}, {0, 1}, {0, 1}, {0, 1}, {0, 1}, {0, 1}, {0, 1}, {0, 1}}, 0);
    EXPECT_NEAR(column.parameter("var", 0), 1e-3 * usual, 1e-9 * usual) << far;
  }
}

TEST(Gaussian, AProfileBesideAnOutlierHasItsOwnVariance) {
  OneColumn column{gaussian_family, {-0.2, 0.2, -0.2, 0.2, 3, 5, 3, 5, 1e4}, 0, 2};
  column.learn({{1, 0}, {1, 0}, {1, 0}, {1, 0}, {0, 1}, {0, 1}, {0, 1}, {0, 1}, {0, 1}}, 0);
  EXPECT_NEAR(column.parameter("var", 0), 0.04, 1e-6);
  EXPECT_EQ(column.family->floors()->at_floor(), std::vector<std::size_t>{0});
}

TEST(Gaussian, TheShareOfTheFloorCanBeChosen) {
  OneColumn column{gaussian_family, {0, 0, 0, 10, 10, 10}, 0, 2};  // variance 25
  column.family->floors()->use_variance_floor(0.01);
  column.family->observe(column.block, column.columns, {});
  column.learn({{1, 0}, {1, 0}, {1, 0}, {0, 1}, {0, 1}, {0, 1}}, 0);
  EXPECT_NEAR(column.parameter("var", 0), 0.25, 1e-14);
  EXPECT_EQ(column.family->floors()->at_floor(), std::vector<std::size_t>{2});
}

TEST(Gaussian, AColumnThatNeverVariesStandsAtNoFloor) {
  OneColumn column{gaussian_family, std::vector<double>(7, 0.3), 0, 2};
  column.learn(std::vector<std::vector<double>>(7, {0.5, 0.5}), 0);
  EXPECT_EQ(column.family->floors()->at_floor(), std::vector<std::size_t>{0});
}

// A table of an earlier version: a thousandth of the column's variance was the floor.
TEST(Gaussian, AnEarlierTableIsCompleted) {
  OneColumn column{gaussian_family, {1, 2, 4, 9}};
  const std::vector<double> earlier = {1, 2, 3, 4, 5, 5, 70, 70};  // mu, var, mean, variance; K = 2
  std::vector<double> completed = earlier;
  completed.insert(completed.end(), {0.07, 0.07});
  EXPECT_EQ(column.family->floors()->completed(earlier, 2), completed);
  EXPECT_EQ(column.family->floors()->completed(completed, 2), completed);
}

TEST(Gaussian, FloorsOfOtherDataRaiseVariancesBelowThem) {
  OneColumn column{gaussian_family, {0, 0, 0, 10, 10, 10}}, wide{gaussian_family, {0, 1e4}};
  column.set(1, 0.03);
  column.family->floors()->take_floors(wide.family->parameters());
  EXPECT_NEAR(column.parameter("var"), 1e-3 * 2.5e7, 1e-6);  // variance 2.5e7
  EXPECT_EQ(column.family->floors()->at_floor(), std::vector<std::size_t>{1});
}

// Among the variances that are allowed the floor is the best where the data ask for less.
TEST(Gaussian, TheFloorIsTheConstrainedMaximum) {
  const std::vector<double> all = {0, 0.01, 0.02, 30, 31, 32};
  OneColumn column{gaussian_family, all, 0, 1};
  column.learn({{1}, {1}, {1}, {0}, {0}, {0}}, 0);
  const double floor = column.parameter("var");
  const auto total = [&] {
    double sum = 0;
    for (const double log : column.log_densities({0, 0.01, 0.02})) sum += log;
    return sum;
  };
  const double best = total();
  for (const double factor : {1.001, 1.1, 2.0}) {
    column.set(1, floor * factor);
    EXPECT_LT(total(), best) << factor;
  }
}

TEST(Gaussian, AColumnThatNeverVariesHasAFiniteDensity) {
  for (const double value : {0.0, 0.1, 1e9}) {
    OneColumn column{gaussian_family, std::vector<double>(7, value)};
    column.learn();
    EXPECT_NEAR(column.parameter("mu"), value, 1e-6);
    EXPECT_NEAR(column.parameter("var"), 1e-3, 1e-15) << value;
  }
}

TEST(Gaussian, SmoothingDoesNothing) {
  OneColumn column{gaussian_family, {1, 2, 4, 9}};
  column.learn(0);
  const double before = column.parameter("var");
  column.learn(5);
  EXPECT_EQ(column.parameter("var"), before);
  EXPECT_EQ(column.family->log_prior(5), 0.0);
}

TEST(Gaussian, TakesEveryNumberOfAReasonableSize) {
  for (const double x : {0.0, -1e99, 1e99, 1e-300}) EXPECT_EQ(gaussian_family.refusal(x), "");
  EXPECT_NE(gaussian_family.refusal(1e101), "");
}

}  // namespace
}  // namespace medley::families
