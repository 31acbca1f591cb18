// SPDX-License-Identifier: Apache-2.0
#include "memberships/component_scales.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace medley::memberships {
namespace {

// E s, E log s and the divergence by summing over a fine grid of s.
TEST(ComponentScales, MeansAndDivergenceAreThoseOfTheDensity) {
  const double c0 = 1.7;
  ComponentScales scales(1, c0);
  scales.update(std::vector<double>{4.1}, std::vector<double>{2.6});
  const double shape = c0 + 4.1, rate = c0 + 2.6;
  double mass = 0, mean = 0, mean_log = 0, divergence = 0;
  constexpr double kStep = 1e-4;
  for (double x = -12; x < 4; x += kStep) {  // s = exp(x)
    const double s = std::exp(x);
    const auto log_density = [&](double a, double b) {
      return a * std::log(b) - std::lgamma(a) + (a - 1) * x - b * s;
    };
    const double q = std::exp(log_density(shape, rate)) * s * kStep;
    mass += q;
    mean += q * s;
    mean_log += q * x;
    divergence += q * (log_density(shape, rate) - log_density(c0, c0));
  }
  EXPECT_NEAR(mass, 1, 1e-9);
  EXPECT_NEAR(scales.mean()[0], mean, 1e-8);
  EXPECT_NEAR(scales.mean_log()[0], mean_log, 1e-8);
  EXPECT_NEAR(scales.log_prior(), -divergence, 1e-8);
}

TEST(ComponentScales, RecallIsTheInverseOfUpdate) {
  ComponentScales scales(2, 0.5);
  scales.update(std::vector<double>{4, 7}, std::vector<double>{2, 3});
  const std::vector<double> sums = scales.recall();
  ASSERT_EQ(sums.size(), 4U);
  for (std::size_t i = 0; i < 4; ++i)
    EXPECT_NEAR(sums[i], (std::vector<double>{4, 7, 2, 3})[i], 1e-12);
}

TEST(ComponentScales, SharesSetTheMeansInProportion) {
  ComponentScales scales(3, 0.5);
  scales.set_shares(std::vector<double>{0.5, 0.3, 0.2});
  EXPECT_NEAR(scales.mean()[0], 1.5, 1e-12);
  EXPECT_NEAR(scales.mean()[1] / scales.mean()[2], 1.5, 1e-12);
}

}  // namespace
}  // namespace medley::memberships
