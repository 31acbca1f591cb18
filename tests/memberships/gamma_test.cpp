// SPDX-License-Identifier: Apache-2.0
// Bayesian non-negative matrix factorisation: what every membership must do is in
// conformance_test.cpp.
#include <gtest/gtest.h>

#include <cmath>

#include "memberships/component_scales.hpp"
#include "memberships/count_vectors.hpp"
#include "memberships/random_cells.hpp"
#include "memberships/registry.hpp"

namespace medley::memberships {
namespace {

constexpr Limits kTight{1e-14, 100'000};

// The whole bound of a hand-made factorisation, its last digit from an independent program that has
// rates, not proportions and scales.
TEST(Gamma, BoundOfAFactorisationIsTheOracles) {
  const test::RateTable table;
  const auto membership = gamma_membership.make(2, {.a0 = 0.5, .b0 = 0.5, .c0 = table.c0});
  membership->set_parameters(
      std::vector<double>{table.total(0), table.h[0], table.total(1), table.h[1]});
  double bound = table.table_part() + membership->log_prior();
  for (const auto& document : test::kCounts) {
    std::vector<double> rows = table.rows(document), weight, norm(4), scratch(kScratch * 8),
                        log_weights(2);
    double m = 0;
    for (const double x : document) {
      if (x > 0) weight.push_back(x);
      m += x;
    }
    std::vector<double> state(2);
    membership->start(m, state);
    if (m > 0) {
      ASSERT_TRUE(membership->iterate(Cells<double>{rows.data(), weight.data(), weight.size(), 8, m,
                                                    norm.data(), scratch.data()},
                                      kTight, state));
    }
    const double rest = membership->log_weights(state, log_weights);
    bound += test::data_part(table, document, log_weights) + rest - test::log_factorials(document);
  }
  EXPECT_NEAR(bound, -30.7346664144, 1e-8);
}

// log p(counts) of one row by integrating over the weights, against the bound: never above, and
// near where there is one component, for which the posterior is exact.
TEST(Gamma, BoundIsExactWithOneComponentAndPointScale) {
  const double a0 = 0.7, b0 = 1.3, scale = 2;
  const auto membership = gamma_membership.make(1, {.a0 = a0, .b0 = b0});
  const double sure = 1e9;  // E log s = log s
  membership->set_parameters(std::vector<double>{scale * sure, sure});
  const std::vector<double> likelihood = {0.25, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0};
  const std::vector<double> weight = {2, 3};
  const double m = 5;
  std::vector<double> norm(2), scratch(kScratch * 8), state(1), log_weights(1);
  membership->start(m, state);
  ASSERT_TRUE(membership->iterate(
      Cells<double>{likelihood.data(), weight.data(), 2, 8, m, norm.data(), scratch.data()}, kTight,
      state));
  const double rest = membership->log_weights(state, log_weights);
  const double bound = m * log_weights[0] + 2 * std::log(0.25) + rest;
  // int theta^m s^m exp(-s theta) Gamma(theta; a0, b0) d theta, in closed form.
  const double exact = m * std::log(scale) + a0 * std::log(b0) - std::lgamma(a0) +
                       std::lgamma(a0 + m) - (a0 + m) * std::log(b0 + scale) + 2 * std::log(0.25);
  EXPECT_NEAR(bound, exact, 1e-6);
}

// Given what rows hold and their weights, shape and rate of the scales are at the maximum: no
// other values give more.
TEST(Gamma, ScalesAreAtTheirMaximum) {
  const std::size_t components = 3;
  const auto membership = gamma_membership.make(components, {.a0 = 0.4, .b0 = 0.9, .c0 = 2});
  PriorStatistics sums = membership->empty_statistics();
  sums.sum = {12, 30, 3, 9, 14, 5};
  membership->maximise(sums, AlphaMode::fitted);
  const auto value = [&](const std::vector<double>& parameters) {
    const auto other = gamma_membership.make(components, {.a0 = 0.4, .b0 = 0.9, .c0 = 2});
    other->set_parameters(parameters);
    double sum = other->log_prior();
    for (std::size_t k = 0; k < components; ++k) {
      const double shape = parameters[2 * k], rate = parameters[2 * k + 1];
      sum += sums.sum[k] * (math::digamma(shape) - std::log(rate)) -
             sums.sum[components + k] * shape / rate;
    }
    return sum;
  };
  const std::vector<double> best(membership->parameters().begin(), membership->parameters().end());
  for (std::size_t i = 0; i < best.size(); ++i) {
    for (const double factor : {0.99, 1.01}) {
      std::vector<double> other = best;
      other[i] *= factor;
      EXPECT_LT(value(other), value(best)) << i;
    }
  }
}

// With equal rates shares are Dirichlet(a), whose moments are known.
TEST(GammaShares, MomentsAreTheDirichletsWhereRatesAreEqual) {
  const double a = 0.3;
  const std::vector<double> rates = {2, 2, 2};
  const PriorMoments moments = moments_of_gamma_shares(a, rates);
  for (std::size_t k = 0; k < 3; ++k) {
    EXPECT_NEAR(moments.mean[k], 1.0 / 3, 1e-12);
    for (std::size_t l = 0; l < 3; ++l)
      EXPECT_NEAR(moments.product[3 * k + l], (a + (k == l ? 1 : 0)) / (3 * (3 * a + 1)), 1e-12);
  }
}

// Two exponential variables with rates r and q: E[x / (x + y)] is (ratio log ratio - ratio + 1) /
// (ratio - 1)^2 with ratio = r / q.
TEST(GammaShares, MeanOfTwoExponentials) {
  const double r = 3, q = 0.5, ratio = r / q;
  const PriorMoments moments = moments_of_gamma_shares(1, std::vector<double>{r, q});
  const double mean = (ratio * std::log(ratio) - ratio + 1) / ((ratio - 1) * (ratio - 1));
  EXPECT_NEAR(moments.mean[0], mean, 1e-10);
}

}  // namespace
}  // namespace medley::memberships
