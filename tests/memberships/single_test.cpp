// SPDX-License-Identifier: Apache-2.0
// Single membership against Bayes' rule written out.
#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "math/logs.hpp"
#include "memberships/random_cells.hpp"
#include "memberships/registry.hpp"

namespace medley::memberships {
namespace {

using Vector = std::vector<double>;

Vector random_shares(std::size_t components, std::uint64_t seed) {
  core::Rng rng(seed, 8);
  Vector pi(components);
  double total = 0;
  for (double& p : pi) total += p = rng.gamma(1.0) + 1e-3;
  for (double& p : pi) p /= total;
  return pi;
}

TEST(Single, ResponsibilitiesAndLikelihoodAreBayesRule) {
  for (std::uint64_t seed = 0; seed < 30; ++seed) {
    const auto membership = single_membership.make(4);
    const Vector pi = random_shares(4, seed);
    membership->set_parameters(pi);
    test::RandomCells cells(Pooling::sum, 4, seed);
    Vector state(4), log_weights(4), joint;
    membership->start(1, state);
    ASSERT_TRUE(membership->iterate(cells.in_double(), {}, state));
    for (std::size_t k = 0; k < 4; ++k) joint.push_back(pi[k] * cells.likelihood(0, k));
    const double total = std::accumulate(joint.begin(), joint.end(), 0.0);
    const double rest = membership->log_weights(state, log_weights);
    for (std::size_t k = 0; k < 4; ++k) {
      EXPECT_NEAR(state[k], joint[k] / total, 1e-14);
      log_weights[k] += std::log(cells.likelihood(0, k));
    }
    EXPECT_NEAR(math::log_sum_exp(log_weights) + rest, std::log(total), 1e-13);
  }
}

double objective(const Membership& membership, const PriorStatistics& s) {
  double sum = 0;
  for (std::size_t k = 0; k < s.sum.size(); ++k)
    sum += s.sum[k] * std::log(membership.parameters()[k]);
  return sum;
}

TEST(Single, MaximiseGivesTheProportionsAndNeverLowersTheObjective) {
  for (const AlphaMode mode : {AlphaMode::fitted, AlphaMode::symmetric, AlphaMode::fixed}) {
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
      const auto membership = single_membership.make(3);
      membership->set_parameters(random_shares(3, seed));
      PriorStatistics s{0, Vector(3, 0.0)};
      for (std::uint64_t row = 0; row < 10; ++row)
        membership->collect(random_shares(3, 100 * seed + row), {},
                            1.0 + 0.5 * static_cast<double>(row), s);
      const double before = objective(*membership, s);
      membership->maximise(s, mode);
      EXPECT_GE(objective(*membership, s), before - 1e-12 * std::abs(before));
      for (std::size_t k = 0; k < 3; ++k)
        EXPECT_NEAR(membership->parameters()[k], s.sum[k] / s.rows, 1e-12);
    }
  }
}

TEST(Single, AClassNobodyIsInKeepsAPositiveShare) {
  const auto membership = single_membership.make(3);
  membership->maximise({10, {4, 6, 0}}, AlphaMode::fitted);
  const auto pi = membership->parameters();
  EXPECT_GT(pi[2], 0.0);
  EXPECT_LT(pi[2], 1e-9);
  EXPECT_NEAR(pi[0] + pi[1] + pi[2], 1.0, 1e-15);
  EXPECT_NEAR(pi[0], 0.4, 1e-11);
}

TEST(Single, SoleWeightsAreTheSharesWhateverTheSize) {
  const auto membership = single_membership.make(2);
  membership->set_parameters(Vector{0.25, 0.75});
  Vector found(2);
  for (const double m : {0.0, 1.0, 50.0}) {
    membership->one_component_log_prior(m, found);
    EXPECT_NEAR(found[1] - found[0], std::log(3.0), 1e-15);
  }
}

}  // namespace
}  // namespace medley::memberships
