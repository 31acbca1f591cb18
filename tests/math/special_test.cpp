// SPDX-License-Identifier: Apache-2.0
// Special functions against known constants, their recurrences, their asymptotes and one another's
// finite differences.
#include "math/special.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace medley::math {
namespace {

constexpr double kPi = std::numbers::pi;
constexpr double kEuler = 0.5772156649015329;
constexpr double kCatalan = 0.9159655941772190;

void expect_close(double value, double expected, double relative = 2e-15) {
  EXPECT_NEAR(value, expected, relative * (1 + std::abs(expected)));
}

TEST(Special, DigammaAtKnownPoints) {
  const double ln2 = std::numbers::ln2;
  expect_close(digamma(1), -kEuler);
  expect_close(digamma(2), 1 - kEuler);
  expect_close(digamma(0.5), -kEuler - 2 * ln2);
  expect_close(digamma(0.25), -kEuler - kPi / 2 - 3 * ln2);
  expect_close(digamma(1.0 / 3), -kEuler - kPi / (2 * std::sqrt(3.0)) - 1.5 * std::log(3.0));
  expect_close(digamma(11), 2.9289682539682539 - kEuler);  // harmonic number of 10
}

TEST(Special, TrigammaAtKnownPoints) {
  expect_close(trigamma(1), kPi * kPi / 6);
  expect_close(trigamma(2), kPi * kPi / 6 - 1);
  expect_close(trigamma(0.5), kPi * kPi / 2);
  expect_close(trigamma(0.25), kPi * kPi + 8 * kCatalan);
}

TEST(Special, LogGammaAtKnownPoints) {
  EXPECT_EQ(log_gamma(1), 0.0);
  EXPECT_EQ(log_gamma(2), 0.0);
  expect_close(log_gamma(0.5), 0.5 * std::log(kPi));
  expect_close(log_gamma(11), std::log(3628800.0));
  expect_close(log_gamma(1.5), 0.5 * std::log(kPi) - std::numbers::ln2);
}

TEST(Special, IncompleteGammaHasItsClosedForms) {
  for (const double x : {1e-8, 0.3, 1.0, 4.5, 30.0}) {
    expect_close(gamma_below(1, x), -std::expm1(-x), 1e-14);
    expect_close(gamma_below(0.5, x), std::erf(std::sqrt(x)), 1e-14);
    expect_close(gamma_above(3, x), std::exp(-x) * (1 + x + x * x / 2), 1e-14);
    for (const double shape : {1e-3, 0.7, 12.0, 1e4})
      expect_close(gamma_below(shape, x) + gamma_above(shape, x), 1.0, 1e-14);
  }
  EXPECT_EQ(gamma_below(2, 0), 0.0);
  EXPECT_EQ(gamma_above(2, 1e6), 0.0);
  expect_close(gamma_above(1e6, 1e6), 0.5, 2e-4);  // the median of a large shape is near it
}

TEST(Special, RecurrencesHoldOverTheWholeRange) {
  for (double x = 1e-6; x < 1e6; x *= 1.37) {
    expect_close(digamma(x + 1) - digamma(x), 1 / x, 1e-14 * (1 + std::abs(digamma(x)) * x));
    expect_close(trigamma(x), trigamma(x + 1) + 1 / (x * x), 1e-14);
    EXPECT_NEAR(log_gamma(x + 1), log_gamma(x) + std::log(x), 1e-14 * (20 + log_gamma(x + 1)));
  }
}

TEST(Special, DuplicationHoldsOverTheWholeRange) {
  for (double x = 1e-6; x < 1e6; x *= 1.41) {
    const double digammas = 0.5 * (digamma(x) + digamma(x + 0.5)) + std::numbers::ln2;
    expect_close(digamma(2 * x), digammas, 1e-14);
    expect_close(4 * trigamma(2 * x), trigamma(x) + trigamma(x + 0.5), 1e-14);
  }
}

TEST(Special, EachIsTheSlopeOfTheOneBefore) {
  for (double x = 1e-3; x < 1e3; x *= 1.7) {
    const double h = 1e-4 * x;
    const double slope = (log_gamma(x + h) - log_gamma(x - h)) / (2 * h);
    EXPECT_NEAR(slope, digamma(x), 1e-5 * (1 + std::abs(digamma(x)))) << x;
    const double curve = (digamma(x + h) - digamma(x - h)) / (2 * h);
    EXPECT_NEAR(curve, trigamma(x), 1e-5 * (1e-3 + trigamma(x))) << x;
  }
}

TEST(Special, AsymptotesAtBothEnds) {
  for (const double x : {1e8, 1e12, 1e15}) {
    expect_close(digamma(x), std::log(x) - 0.5 / x);
    EXPECT_NEAR(trigamma(x) * x, 1 + 0.5 / x, 1e-14);
  }
  for (const double x : {1e-8, 1e-12, 1e-100}) {
    EXPECT_NEAR(digamma(x) * x, -1 - kEuler * x, 1e-14);
    EXPECT_NEAR(trigamma(x) * x * x, 1, 1e-14);
    EXPECT_NEAR(log_gamma(x), -std::log(x), 1e-7);
  }
}

// Two-sided tails of Student's t from tables: 0.05, 0.01 and 0.001.
TEST(Special, NormalDeviateHasTheTailOfStudentsT) {
  const double normal[] = {1.960, 2.576, 3.291};
  const struct {
    double free, t[3];
  } rows[] = {
      {10, {2.228, 3.169, 4.587}}, {30, {2.042, 2.750, 3.646}}, {120, {1.980, 2.617, 3.373}}};
  for (const auto& row : rows) {
    for (int i = 0; i < 3; ++i)
      EXPECT_NEAR(normal_deviate(row.t[i], row.free), normal[i], 0.005 * normal[i]) << row.free;
  }
  EXPECT_EQ(normal_deviate(0, 5), 0);
}

TEST(Special, BetaBelowInClosedForm) {
  for (const double x : {0.01, 0.3, 0.9}) {
    expect_close(beta_below(3, 1, x), x * x * x);
    expect_close(beta_below(1, 0.2, x), 1 - std::pow(1 - x, 0.2), 1e-14);
    expect_close(beta_below(0.5, 0.5, x), 2 / kPi * std::asin(std::sqrt(x)), 1e-14);
  }
}

TEST(Special, StudentQuantilesFromTables) {
  expect_close(student_quantile(0.975, 1), std::tan(kPi * 0.475), 1e-12);  // Cauchy
  EXPECT_NEAR(student_quantile(0.975, 10), 2.228139, 1e-6);
  EXPECT_NEAR(student_quantile(0.05, 1e9), -1.644854, 1e-6);
}

}  // namespace
}  // namespace medley::math
