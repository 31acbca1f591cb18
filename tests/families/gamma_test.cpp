// SPDX-License-Identifier: Apache-2.0
// Gamma: the equations of its maximum, and the limits of its shape.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "families/one_column.hpp"

namespace medley::families {
namespace {

double digamma_by_difference(double x) {
  const double h = 1e-5 * x;
  return (std::lgamma(x + h) - std::lgamma(x - h)) / (2 * h);
}

// At the maximum the mean is shape / rate and the mean logarithm digamma(shape) - log(rate).
TEST(Gamma, MaximumMeetsItsTwoEquations) {
  const std::vector<std::vector<double>> columns = {
      {1, 2, 3}, {0.001, 5, 900}, {1e-20, 1, 1e10}, {95, 100, 105}, {1e50, 2e50, 7e50}};
  for (const auto& values : columns) {
    OneColumn column{gamma_family, values};
    column.learn();
    const double shape = column.parameter("shape"), rate = column.parameter("rate");
    double mean = 0, mean_log = 0;
    for (const double v : values) {
      mean += v / 3;
      mean_log += std::log(v) / 3;
    }
    EXPECT_NEAR(shape / rate, mean, 1e-12 * mean);
    EXPECT_NEAR(digamma_by_difference(shape) - std::log(rate), mean_log,
                1e-7 * (1 + std::abs(mean_log)));
  }
}

TEST(Gamma, SmoothingAddsAverageObservations) {
  OneColumn column{gamma_family, {1, 2, 12}};
  column.learn({{1}, {1}, {0}}, 2);
  OneColumn same{gamma_family, {1, 2, 12}};  // two observations like the average: 2/3 of each
  same.learn({{1 + 2.0 / 3}, {1 + 2.0 / 3}, {2.0 / 3}}, 0);
  EXPECT_NEAR(column.parameter("shape"), same.parameter("shape"), 1e-12);
  EXPECT_NEAR(column.parameter("rate"), same.parameter("rate"), 1e-12);
}

TEST(Gamma, ShapeStaysWithinItsLimits) {
  OneColumn alike{gamma_family, {5, 5, 5}};
  alike.learn();
  EXPECT_EQ(alike.parameter("shape"), 1e4);
  EXPECT_NEAR(alike.parameter("rate"), 2000, 1e-9);
  OneColumn scattered{gamma_family, {1e-100, 1e-100, 1e-100, 1e100}};
  scattered.learn();
  EXPECT_GE(scattered.parameter("shape"), 1e-3);
  EXPECT_LT(scattered.parameter("shape"), 0.01);
}

TEST(Gamma, ShapeOneIsExponential) {
  const OneColumn column{gamma_family, {1, 2}};
  const OneColumn other{exponential_family, {1, 2}};
  column.set(0, 1);
  column.set(1, 0.4);
  other.set(0, 0.4);
  for (const double x : {0.1, 1.0, 17.0}) {
    EXPECT_NEAR(column.log_densities({x})[0], other.log_densities({x})[0], 1e-14);
    EXPECT_NEAR(column.family->numbers()->cumulative(0, 0, x),
                other.family->numbers()->cumulative(0, 0, x), 1e-14);
  }
}

TEST(Gamma, TakesNumbersAboveZero) {
  EXPECT_EQ(gamma_family.refusal(1e-9), "");
  EXPECT_EQ(gamma_family.refusal(0), "is not above 0; gamma takes numbers above 0");
  EXPECT_NE(gamma_family.refusal(1e-200), "");
}

}  // namespace
}  // namespace medley::families
