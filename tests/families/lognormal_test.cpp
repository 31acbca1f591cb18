// SPDX-License-Identifier: Apache-2.0
// Lognormal: the gaussian of the logarithms.
#include <gtest/gtest.h>

#include <cmath>

#include "families/one_column.hpp"

namespace medley::families {
namespace {

TEST(Lognormal, MaximumIsThatOfTheGaussianOfTheLogarithms) {
  const std::vector<double> values = {0.5, 3, 20, 800};
  std::vector<double> logs;
  for (const double v : values) logs.push_back(std::log(v));
  OneColumn column{lognormal_family, values}, other{gaussian_family, logs};
  column.learn();
  other.learn();
  EXPECT_EQ(column.parameter("mu"), other.parameter("mu"));
  EXPECT_EQ(column.parameter("var"), other.parameter("var"));
  EXPECT_NEAR(column.log_densities({20})[0], other.log_densities({std::log(20)})[0] - std::log(20),
              1e-13);
}

TEST(Lognormal, VarianceStopsAtAThousandthOfTheLogarithms) {
  OneColumn column{lognormal_family, {1, std::exp(2)}, 0, 1};  // variance of the logarithms: 1
  column.learn({{1}, {0}}, 0);
  EXPECT_NEAR(column.parameter("var"), 1e-3, 1e-15);
}

TEST(Lognormal, MedianIsTheExponentialOfMu) {
  OneColumn column{lognormal_family, {0.5, 3, 20, 800}};
  EXPECT_NEAR(column.family->numbers()->cumulative(0, 0, std::exp(column.parameter("mu"))), 0.5,
              1e-14);
}

TEST(Lognormal, TakesNumbersAboveZero) {
  EXPECT_EQ(lognormal_family.refusal(1e-9), "");
  EXPECT_EQ(lognormal_family.refusal(0), "is not above 0; lognormal takes numbers above 0");
  EXPECT_NE(lognormal_family.refusal(-1), "");
}

}  // namespace
}  // namespace medley::families
