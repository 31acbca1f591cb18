// SPDX-License-Identifier: Apache-2.0
// Expectations and divergences of conjugate beliefs against integrals of their densities.
#include "math/conjugate.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "support/quadrature.hpp"

namespace medley::math {
namespace {

// Densities of z = log x and z = logit x, which vanish smoothly at both ends.
double log_density(const GammaBelief& q, double z) {
  return q.shape * std::log(q.rate) - std::lgamma(q.shape) + q.shape * z - q.rate * std::exp(z);
}

double log_density(const BetaBelief& q, double z) {
  const double log_x = -std::log1p(std::exp(-z)), log_rest = -std::log1p(std::exp(z));
  return std::lgamma(q.a + q.b) - std::lgamma(q.a) - std::lgamma(q.b) + q.a * log_x +
         q.b * log_rest;
}

template <class Belief>
double plain_divergence(const Belief& q, const Belief& p) {
  return test::integral(-60, 60, [&](double z) {
    const double log_q = log_density(q, z);
    return std::exp(log_q) * (log_q - log_density(p, z));
  });
}

TEST(Conjugate, GammaAgreesWithIntegrals) {
  for (const GammaBelief& q : {GammaBelief{2.5, 0.7}, GammaBelief{40, 9}, GammaBelief{0.9, 3}}) {
    const double truth =
        test::integral(-60, 60, [&](double z) { return z * std::exp(log_density(q, z)); });
    EXPECT_NEAR(mean_log(q), truth, 1e-9);
    for (const GammaBelief& p : {GammaBelief{1, 0.5}, GammaBelief{3, 6}})
      EXPECT_NEAR(divergence(q, p), plain_divergence(q, p), 1e-8);
    EXPECT_NEAR(divergence(q, q), 0, 1e-12);
  }
}

TEST(Conjugate, BetaAgreesWithIntegrals) {
  for (const BetaBelief& q : {BetaBelief{2.5, 0.7}, BetaBelief{40, 9}, BetaBelief{1, 1}}) {
    const auto mean_of = [&](auto&& f) {
      return test::integral(-60, 60, [&](double z) { return f(z) * std::exp(log_density(q, z)); });
    };
    EXPECT_NEAR(mean_logs(q).of_x, mean_of([](double z) { return -std::log1p(std::exp(-z)); }),
                1e-9);
    EXPECT_NEAR(mean_logs(q).of_rest, mean_of([](double z) { return -std::log1p(std::exp(z)); }),
                1e-9);
    for (const BetaBelief& p : {BetaBelief{1, 1}, BetaBelief{3, 6}})
      EXPECT_NEAR(divergence(q, p), plain_divergence(q, p), 1e-8);
  }
}

// Over mean and log precision together.
TEST(Conjugate, NormalAgreesWithAnIntegralOverBoth) {
  const NormalBelief q{0.4, 3, 4, 2.5}, p{-0.2, 0.5, 2, 1};
  const auto log_density = [](const NormalBelief& b, double mean, double precision, double z) {
    const double of_mean = 0.5 * std::log(b.weight * precision / (2 * std::numbers::pi)) -
                           0.5 * b.weight * precision * std::pow(mean - b.location, 2);
    return of_mean + b.shape * std::log(b.scale) - std::lgamma(b.shape) + b.shape * z -
           b.scale * precision;
  };
  const double truth = test::integral(
      -12, 8,
      [&](double z) {
        const double precision = std::exp(z), wide = 9 / std::sqrt(q.weight * precision);
        return test::integral(
            q.location - wide, q.location + wide,
            [&](double mean) {
              const double log_q = log_density(q, mean, precision, z);
              return std::exp(log_q) * (log_q - log_density(p, mean, precision, z));
            },
            300);
      },
      600);
  EXPECT_NEAR(divergence(q, p), truth, 1e-6);
  EXPECT_NEAR(divergence(q, q), 0, 1e-12);
}

}  // namespace
}  // namespace medley::math
