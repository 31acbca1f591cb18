// SPDX-License-Identifier: Apache-2.0
// The walks end up in the density that a grid says.
#include "samplers/concentration.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "math/chain_diagnostics.hpp"
#include "medley/error.hpp"

namespace medley::samplers {
namespace {

// Three people with (n_1, n_2) = (4, 0), (1, 3), (0, 2).
const std::vector<std::vector<double>> kCounts = {{4, 0}, {1, 3}, {0, 2}};

math::CountsOfCounts counts() {
  math::CountsOfCounts out(2, 4);
  for (const auto& n : kCounts) {
    for (std::size_t k = 0; k < 2; ++k) {
      for (std::size_t t = 0; static_cast<double>(t) < n[k]; ++t) ++out.component[k][t];
    }
    for (std::size_t t = 0; static_cast<double>(t) < n[0] + n[1]; ++t) ++out.total[t];
  }
  return out;
}

double log_posterior(double alpha0, double xi) {
  double sum = 1.5 * std::log(alpha0) - 0.7 * alpha0;  // Gamma(2.5, 0.7)
  for (const auto& n : kCounts)
    sum += std::lgamma(alpha0) - std::lgamma(alpha0 + n[0] + n[1]) +
           std::lgamma(alpha0 * xi + n[0]) - std::lgamma(alpha0 * xi) +
           std::lgamma(alpha0 * (1 - xi) + n[1]) - std::lgamma(alpha0 * (1 - xi));
  return sum;
}

struct Moments {
  double alpha0 = 0, log_alpha0 = 0, xi = 0, log_xis = 0;
};

Moments from_grid() {
  Moments sum;
  double total = 0;
  for (double y = -12; y < 5; y += 0.05) {
    for (double x = -15; x < 15; x += 0.1) {
      const double alpha0 = std::exp(y), xi = 1 / (1 + std::exp(-x));
      const double p = std::exp(log_posterior(alpha0, xi) + y) * xi * (1 - xi);
      sum.alpha0 += p * alpha0;
      sum.log_alpha0 += p * y;
      sum.xi += p * xi;
      sum.log_xis += p * std::log(xi * (1 - xi));
      total += p;
    }
  }
  return {sum.alpha0 / total, sum.log_alpha0 / total, sum.xi / total, sum.log_xis / total};
}

TEST(AlphaWalk, FindsTheDensityOfTheGrid) {
  AlphaWalk walk({2.5, 0.7}, 2);
  core::Rng rng(4, 4);
  const math::CountsOfCounts n = counts();
  const auto both = [&](bool tune) {
    walk.move_alpha0(n, rng, tune);
    walk.move_xi(n, rng, tune);
  };
  for (int i = 0; i < 500; ++i) both(true);
  math::Chains alpha0(1), log_alpha0(1), xi(1), log_xis(1);
  for (int i = 0; i < 20000; ++i) {
    both(false);
    alpha0[0].push_back(walk.alpha0());
    log_alpha0[0].push_back(std::log(walk.alpha0()));
    xi[0].push_back(walk.xi()[0]);
    log_xis[0].push_back(std::log(walk.xi()[0] * walk.xi()[1]));
  }
  const Moments truth = from_grid();
  const auto expect_mean = [](const math::Chains& draws, double mean) {
    double sum = 0;
    for (const double x : draws[0]) sum += x / static_cast<double>(draws[0].size());
    EXPECT_NEAR(sum, mean, 4.5 * math::mcse_mean(draws));
  };
  expect_mean(alpha0, truth.alpha0);
  expect_mean(log_alpha0, truth.log_alpha0);
  expect_mean(xi, truth.xi);
  expect_mean(log_xis, truth.log_xis);
}

TEST(AlphaWalk, StepsAreTunedOnlyWhenAsked) {
  AlphaWalk walk({2.5, 0.7}, 2);
  core::Rng rng(4, 5);
  const auto steps = [&] {
    core::TensorFile file;
    walk.save(file, "");
    return file.doubles("steps", 4);
  };
  const math::CountsOfCounts n = counts();
  const auto share_moved = [&](bool tune) {
    int moved = 0;
    for (int i = 0; i < 2000; ++i) {
      const double before = walk.alpha0();
      walk.move_alpha0(n, rng, tune);
      if (walk.alpha0() != before) ++moved;
    }
    return moved / 2000.0;
  };
  const std::vector<double> first = steps();
  EXPECT_GT(share_moved(false), 0.6);  // as it begins, much too short
  EXPECT_EQ(steps(), first);
  share_moved(true);
  EXPECT_NE(steps(), first);
  const double tuned = share_moved(false);
  EXPECT_GT(tuned, 0.25);
  EXPECT_LT(tuned, 0.45);
}

TEST(AlphaWalk, AlphaIsSplitIntoSumAndShares) {
  AlphaWalk walk({2, 10}, 3);
  walk.set(std::vector<double>{0.1, 0.2, 0.7});
  EXPECT_NEAR(walk.alpha0(), 1, 1e-15);
  EXPECT_NEAR(walk.xi()[2], 0.7, 1e-15);
  EXPECT_NEAR(walk.alpha()[1], 0.2, 1e-15);
}

// One component: nothing is told of alpha_0, whose posterior is its prior.
TEST(AlphaWalk, OneComponentHasThePrior) {
  AlphaWalk walk({2, 10}, 1);
  math::CountsOfCounts n(1, 3);
  n.component[0] = n.total = {5, 4, 2};
  core::Rng rng(4, 6);
  math::Chains alpha0(1);
  for (int i = 0; i < 20000; ++i) {
    walk.move_alpha0(n, rng, i < 500);
    walk.move_xi(n, rng, i < 500);
    alpha0[0].push_back(walk.alpha0());
  }
  double mean = 0;
  for (const double a : alpha0[0]) mean += a / 20000;
  EXPECT_NEAR(mean, 0.2, 4.5 * math::mcse_mean(alpha0));
  EXPECT_EQ(walk.xi(), std::vector<double>{1.0});
}

}  // namespace
}  // namespace medley::samplers
