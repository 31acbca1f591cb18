// SPDX-License-Identifier: Apache-2.0
// The Polya fit: its objective is the plain sum of lnB over rows, its gradient that of finite
// differences, its maximum beats its neighbourhood and finds planted values.
#include "math/dirichlet.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "core/rng.hpp"

namespace medley::math {
namespace {

using Rows = std::vector<std::vector<int>>;

CountsOfCounts tallied(const Rows& rows, std::size_t depth) {
  CountsOfCounts counts(rows[0].size(), depth);
  for (const auto& n : rows) {
    int m = 0;
    for (std::size_t k = 0; k < n.size(); ++k) {
      for (int t = 0; t < n[k]; ++t) counts.component[k][static_cast<std::size_t>(t)] += 1;
      m += n[k];
    }
    for (int t = 0; t < m; ++t) counts.total[static_cast<std::size_t>(t)] += 1;
  }
  return counts;
}

// Rows of `m` observations by Polya's urn.
Rows drawn(const std::vector<double>& alpha, std::size_t count, int m) {
  Rows rows;
  for (std::size_t i = 0; i < count; ++i) {
    core::Rng rng(4, 2, i);
    std::vector<int> n(alpha.size(), 0);
    for (int o = 0; o < m; ++o) {
      double total = 0;
      for (std::size_t k = 0; k < alpha.size(); ++k) total += alpha[k] + n[k];
      double at = rng.uniform() * total;
      std::size_t k = 0;
      while (k + 1 < alpha.size() && at > alpha[k] + n[k]) {
        at -= alpha[k] + n[k];
        ++k;
      }
      ++n[k];
    }
    rows.push_back(n);
  }
  return rows;
}

const Rows kRows = {{3, 0, 1}, {0, 0, 5}, {1, 1, 1}, {0, 2, 0}};

TEST(Polya, ObjectiveIsTheSumOverRows) {
  const std::vector<double> alpha = {0.3, 1.7, 0.05};
  double want = 0;
  for (const auto& n : kRows) {
    std::vector<double> more = alpha;
    for (std::size_t k = 0; k < 3; ++k) more[k] += n[k];
    want += log_beta(more) - log_beta(alpha);
  }
  EXPECT_NEAR(polya_objective(alpha, tallied(kRows, 6)), want, 1e-12);
  EXPECT_EQ(tallied(kRows, 6).rows(), 4);
  EXPECT_NEAR(log_rising(0.3, 4)[4], std::log(0.3 * 1.3 * 2.3 * 3.3), 1e-14);
}

TEST(Polya, GradientIsThatOfFiniteDifferences) {
  const CountsOfCounts counts = tallied(kRows, 6);
  const std::vector<double> alpha = {0.3, 1.7, 0.05};
  const auto g = polya_gradient(alpha, counts);
  for (std::size_t k = 0; k < 3; ++k) {
    const double h = 1e-6 * alpha[k];
    auto up = alpha, down = alpha;
    up[k] += h;
    down[k] -= h;
    EXPECT_NEAR(g[k], (polya_objective(up, counts) - polya_objective(down, counts)) / (2 * h),
                1e-6 * (1 + std::abs(g[k])));
  }
}

TEST(Polya, FindsPlantedAlpha) {
  const std::vector<double> truth = {0.1, 0.5, 2.0};
  const CountsOfCounts counts = tallied(drawn(truth, 20000, 12), 12);
  std::vector<double> alpha = {1, 1, 1};
  fit_polya(alpha, counts);
  for (std::size_t k = 0; k < 3; ++k) EXPECT_NEAR(alpha[k], truth[k], 0.05 * truth[k]);
  for (const double g : polya_gradient(alpha, counts)) EXPECT_NEAR(g, 0, 1e-4);
  EXPECT_NEAR(fit_symmetric_polya(3.0, tallied(drawn({0.4, 0.4}, 20000, 10), 10)), 0.4, 0.02);
}

TEST(Polya, NeverFallsAndStaysWithinLimits) {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    core::Rng rng(seed, 3);
    Rows rows;
    for (int i = 0; i < 3; ++i)
      rows.push_back({static_cast<int>(rng.below(4)), static_cast<int>(rng.below(4)), 0});
    rows.push_back({1, 0, 0});
    const CountsOfCounts counts = tallied(rows, 8);
    std::vector<double> alpha = {rng.gamma(0.3) + 1e-3, rng.gamma(2.0), rng.gamma(1.0)};
    const double before = polya_objective(alpha, counts), unused = alpha[2];
    fit_polya(alpha, counts);
    EXPECT_GE(polya_objective(alpha, counts), before - 1e-9);
    EXPECT_LE(alpha[2], unused);  // nobody has it
    for (const double a : alpha) EXPECT_LE(a, kAlphaCap);
    const double a = fit_symmetric_polya(0.7, counts);
    EXPECT_GE(polya_objective(std::vector<double>(3, a), counts),
              polya_objective(std::vector<double>(3, 0.7), counts) - 1e-9);
  }
}

TEST(Polya, AComponentNobodyHasGoesToTheFloor) {
  Rows rows = drawn({0.2, 0.6}, 500, 8);
  for (auto& n : rows) n.push_back(0);
  std::vector<double> alpha = {1, 1, 1};
  fit_polya(alpha, tallied(rows, 8));
  EXPECT_LT(alpha[2], 1e-5);
  EXPECT_NEAR(alpha[1], 0.6, 0.15);
}

TEST(Polya, OneComponentIsLeftAlone) {
  std::vector<double> alpha = {0.7};
  fit_polya(alpha, tallied({{3}, {2}}, 4));
  EXPECT_EQ(alpha[0], 0.7);
}

// Of two observations of a row, that they lie in different components.
double apart(const std::vector<double>& alpha) {
  double sum = 0, same = 0;
  for (const double a : alpha) sum += a;
  for (const double a : alpha) same += a / sum * (a + 1) / (sum + 1);
  return 1 - same;
}

TEST(MixedRow, TheLogPriorIsThatOfTwoObservationsApart) {
  std::vector<double> small = {0.01, 0.02, 0.05}, large = small;
  for (double& a : large) a *= 100;
  EXPECT_NEAR(mixed_row_log_prior(large) - mixed_row_log_prior(small),
              std::log(apart(large) / apart(small)), 1e-12);
}

// The two observations of every row lie in one component, half of the rows in each: the likelihood
// is highest at alpha = 0. With the imagined row, from n [log(a + 2) - log(a + 1)] + log a - log(1
// + a), the sum a of alpha is 2 / (n - 1).
TEST(MixedRow, RowsThatDoNotMixLeaveAlphaOffZero) {
  const Rows pure(50, {2, 0}), others(50, {0, 2});
  Rows rows = pure;
  rows.insert(rows.end(), others.begin(), others.end());
  const CountsOfCounts counts = tallied(rows, 2);
  for (const bool common : {false, true}) {
    std::vector<double> alpha = {0.3, 0.3};
    double before = -1e300;
    for (int i = 0; i < 400; ++i) {
      CountsOfCounts more = counts;
      add_mixed_row(alpha, more);
      EXPECT_EQ(more.rows(), 101);
      if (common) {
        alpha.assign(2, fit_symmetric_polya(alpha[0], more));
      } else {
        fit_polya(alpha, more);
      }
      const double now = polya_objective(alpha, counts) + mixed_row_log_prior(alpha);
      ASSERT_GE(now, before - 1e-9) << i;
      before = now;
    }
    EXPECT_NEAR(alpha[0] + alpha[1], 2.0 / 99, 1e-5) << common;
  }
}

}  // namespace
}  // namespace medley::math
