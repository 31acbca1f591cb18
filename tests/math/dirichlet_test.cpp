// SPDX-License-Identifier: Apache-2.0
#include "math/dirichlet.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "core/rng.hpp"
#include "math/special.hpp"

namespace medley::math {
namespace {

std::vector<double> random_alpha(core::Rng& rng, std::size_t count) {
  std::vector<double> alpha(count);
  for (double& a : alpha) a = std::exp(4 * rng.uniform() - 3);
  return alpha;
}

// Expected log proportions of n rows whose Dirichlet posteriors are random: always attainable.
std::vector<double> random_statistics(core::Rng& rng, std::size_t count, int rows) {
  std::vector<double> s(count, 0.0);
  for (int i = 0; i < rows; ++i) {
    std::vector<double> gamma(count);
    for (double& g : gamma) g = rng.gamma(0.7) + 1e-3;
    const double common = digamma(std::accumulate(gamma.begin(), gamma.end(), 0.0));
    for (std::size_t k = 0; k < count; ++k) s[k] += digamma(gamma[k]) - common;
  }
  return s;
}

TEST(Dirichlet, GradientAgreesWithFiniteDifferences) {
  core::Rng rng(1, 1);
  for (int trial = 0; trial < 50; ++trial) {
    const auto alpha = random_alpha(rng, 4);
    const auto s = random_statistics(rng, 4, 10);
    const auto g = dirichlet_gradient(alpha, s, 10);
    for (std::size_t k = 0; k < 4; ++k) {
      const double h = 1e-5 * alpha[k];
      auto up = alpha, down = alpha;
      up[k] += h;
      down[k] -= h;
      const double numeric =
          (dirichlet_objective(up, s, 10) - dirichlet_objective(down, s, 10)) / (2 * h);
      EXPECT_NEAR(g[k], numeric, 1e-5 * (1 + std::abs(numeric)));
    }
  }
}

// Newton's steps end at a gradient that is zero but for rounding; gradient steps alone would not
// (nearly all of these problems would then end above 1e-9).
TEST(Dirichlet, FitNeverLowersTheObjectiveAndEndsAtAZeroGradient) {
  int checked = 0, coarse = 0;
  core::Rng rng(2, 1);
  for (int trial = 0; trial < 300; ++trial) {
    const std::size_t count = 2 + rng.below(8);
    auto alpha = random_alpha(rng, count);
    const auto s = random_statistics(rng, count, 30);
    const double before = dirichlet_objective(alpha, s, 30);
    fit_dirichlet(alpha, s, 30);
    EXPECT_GE(dirichlet_objective(alpha, s, 30), before - 1e-9 * std::abs(before));
    const auto g = dirichlet_gradient(alpha, s, 30);
    for (std::size_t k = 0; k < count; ++k) {
      const bool inside = alpha[k] > kAlphaFloor && alpha[k] < kAlphaCap;
      const double slope = inside ? std::abs(g[k] * alpha[k] / 30) : 0.0;
      EXPECT_LT(slope, 1e-6);
      ++checked;
      if (slope > 1e-9) ++coarse;
    }
  }
  EXPECT_LT(coarse, checked / 20);
}

TEST(Dirichlet, FitRecoversTheParameterOfDraws) {
  const std::vector<double> truth = {0.3, 1.0, 4.0};
  core::Rng rng(3, 1);
  std::vector<double> s(3, 0.0);
  const int rows = 20000;
  for (int i = 0; i < rows; ++i) {
    std::vector<double> theta(3);
    double total = 0;
    for (std::size_t k = 0; k < 3; ++k) total += theta[k] = rng.gamma(truth[k]);
    for (std::size_t k = 0; k < 3; ++k) s[k] += std::log(theta[k] / total);
  }
  std::vector<double> alpha(3, 1.0);
  fit_dirichlet(alpha, s, rows);
  for (std::size_t k = 0; k < 3; ++k) EXPECT_NEAR(alpha[k], truth[k], 0.05 * truth[k]);
}

TEST(Dirichlet, ComponentNobodyUsesFallsToTheFloorWithoutHoldingBackTheOthers) {
  std::vector<double> alpha(3, 0.5);
  const std::vector<double> s = {-10.0, -12.0, -1e7};
  fit_dirichlet(alpha, s, 10);
  std::vector<double> pair = {0.5, 0.5};
  fit_dirichlet(pair, std::vector<double>{-10.0, -12.0}, 10);
  EXPECT_LE(alpha[2], 2 * kAlphaFloor);
  EXPECT_NEAR(alpha[0], pair[0], 1e-3);
  EXPECT_NEAR(alpha[1], pair[1], 1e-3);
}

TEST(Dirichlet, SymmetricFitEqualsTheBestOfAFineGrid) {
  core::Rng rng(5, 1);
  for (int trial = 0; trial < 20; ++trial) {
    const std::size_t count = 3;
    const auto s = random_statistics(rng, count, 20);
    const double total = std::accumulate(s.begin(), s.end(), 0.0);
    const double fitted = fit_symmetric_dirichlet(1.0, count, total, 20);
    double best = 0, best_value = -1e300;
    for (double x = -8; x < 6; x += 1e-3) {
      const double a = std::exp(x);
      const double value = dirichlet_objective(std::vector<double>(count, a), s, 20);
      if (value > best_value) {
        best_value = value;
        best = a;
      }
    }
    EXPECT_NEAR(std::log(fitted), std::log(best), 2e-3);
  }
}

}  // namespace
}  // namespace medley::math
