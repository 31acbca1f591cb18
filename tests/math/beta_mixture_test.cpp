// SPDX-License-Identifier: Apache-2.0
// Mixtures of Beta distributions against numerical integration of their densities.
#include "math/conjugate.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>

namespace medley::math {
namespace {

struct Case {
  double a, b;
  std::vector<double> weight;
};

// The integral of f times the mixture's density from 0 to t. With theta = s^(1/a) the singularity
// of theta^(a-1) at 0 is gone.
double integral(const Case& c, double t, const std::function<double(double)>& f) {
  constexpr int kSteps = 100'000;
  const std::size_t m = c.weight.size() - 1;
  const double end = std::pow(t, c.a);
  double sum = 0;
  for (int i = 0; i < kSteps; ++i) {
    const double s = end * (i + 0.5) / kSteps, theta = std::pow(s, 1 / c.a);
    double density = 0;  // over theta^(a-1), which cancels
    for (std::size_t j = 0; j <= m; ++j) {
      const double x = c.a + static_cast<double>(j), y = c.b + static_cast<double>(m - j);
      density += c.weight[j] * std::pow(theta, static_cast<double>(j)) *
                 std::pow(1 - theta, y - 1) *
                 std::exp(std::lgamma(x + y) - std::lgamma(x) - std::lgamma(y));
    }
    sum += f(theta) * density / c.a;
  }
  return sum * end / kSteps;
}

double one(double) {
  return 1;
}

class BetaMixtures : public testing::TestWithParam<Case> {};

TEST_P(BetaMixtures, DistributionFunctionIsTheIntegralOfTheDensity) {
  const BetaMixture mixture(GetParam().a, GetParam().b, GetParam().weight);
  EXPECT_EQ(mixture.below(0), 0);
  EXPECT_EQ(mixture.below(1), 1);
  for (const double t : {0.001, 0.1, 0.3, 0.5, 0.8, 0.95})
    EXPECT_NEAR(mixture.below(t), integral(GetParam(), t, one), 1e-7) << t;
}

TEST_P(BetaMixtures, QuantileInvertsTheDistributionFunction) {
  const BetaMixture mixture(GetParam().a, GetParam().b, GetParam().weight);
  for (const double p : {0.01, 0.05, 0.5, 0.9, 0.99}) {
    const double t = mixture.quantile(p);
    // Where the density is steep, a step of 1e-10 in t is more than that in p.
    EXPECT_LE(mixture.below(t - 1e-10), p);
    EXPECT_GE(mixture.below(t + 1e-10), p);
  }
}

TEST_P(BetaMixtures, MomentsAreIntegrals) {
  const BetaMixture mixture(GetParam().a, GetParam().b, GetParam().weight);
  if (GetParam().b < 1) return;  // the singularity at 1 stays: too rough
  const double mean = integral(GetParam(), 1, [](double x) { return x; });
  EXPECT_NEAR(mixture.mean(), mean, 1e-5);
  EXPECT_NEAR(mixture.variance(),
              integral(GetParam(), 1, [&](double x) { return (x - mean) * (x - mean); }), 1e-5);
}

INSTANTIATE_TEST_SUITE_P(Cases, BetaMixtures,
                         testing::Values(Case{2, 3, {1}}, Case{0.5, 1.5, {0.2, 0.5, 0.3}},
                                         Case{0.05, 1.2, {0.3, 0, 0.1, 0.6}},
                                         Case{1.3, 0.4, {0.25, 0.25, 0.25, 0.25}}));

TEST(BetaMixtures, LongRowsDoNotUnderflow) {
  constexpr std::size_t kObservations = 2000;
  std::vector<double> all_of_it(kObservations + 1, 0.0);
  all_of_it.back() = 1;
  const BetaMixture mixture(0.1, 1, all_of_it);  // Beta(2000.1, 1): P(X <= t) = t^2000.1
  EXPECT_NEAR(mixture.quantile(0.05), std::pow(0.05, 1 / 2000.1), 1e-9);
  EXPECT_NEAR(mixture.quantile(0.95), std::pow(0.95, 1 / 2000.1), 1e-9);
}

}  // namespace
}  // namespace medley::math
