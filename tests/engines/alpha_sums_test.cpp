// SPDX-License-Identifier: Apache-2.0
// alpha from expected counts: the fixed point is the maximum of the Polya likelihood, written out
// with lgamma, and finds a planted alpha.
#include "engines/collapsed_rows.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "core/rng.hpp"
#include "memberships/registry.hpp"

namespace medley::engines {
namespace {

struct Rows {
  std::vector<std::vector<float>> count, present;
  std::vector<double> size, weight;
};

double log_polya(const Rows& rows, const std::vector<double>& alpha) {
  double value = 0, alpha_0 = 0;
  for (const double a : alpha) alpha_0 += a;
  for (std::size_t i = 0; i < rows.count.size(); ++i) {
    double one = std::lgamma(alpha_0) - std::lgamma(alpha_0 + rows.size[i]);
    for (std::size_t k = 0; k < alpha.size(); ++k)
      one += std::lgamma(alpha[k] + static_cast<double>(rows.count[i][k])) - std::lgamma(alpha[k]);
    value += rows.weight[i] * one;
  }
  return value;
}

// Rows of 60 observations; whole counts, or half of each moved a little.
Rows planted(const std::vector<double>& alpha, bool whole) {
  Rows out;
  for (std::size_t i = 0; i < 3000; ++i) {
    core::Rng rng(9, 1, i);
    std::vector<double> theta;
    double sum = 0;
    for (const double a : alpha) sum += theta.emplace_back(rng.gamma(a));
    std::vector<float> count(alpha.size(), 0.0F);
    for (int o = 0; o < 60; ++o) {
      double u = rng.uniform() * sum;
      std::size_t k = 0;
      while (k + 1 < alpha.size() && u > theta[k]) u -= theta[k++];
      count[k] += 1;
    }
    if (!whole && count[0] >= 1) {
      count[0] -= 0.4F;
      count[1] += 0.4F;
    }
    out.count.push_back(count);
    auto& present = out.present.emplace_back();
    for (const float n : count) present.push_back(n > 0 ? 1.0F : 0.0F);
    out.size.push_back(60);
    out.weight.push_back(i % 2 == 0 ? 1.0 : 2.0);
  }
  return out;
}

std::vector<double> fixed_point(const Rows& rows, std::vector<double> start, AlphaMode mode) {
  const auto membership = memberships::mixed_membership.make(start.size());
  membership->set_parameters(start);
  for (int i = 0; i < 1000; ++i) {
    memberships::PriorStatistics sum = membership->empty_statistics();
    AlphaSums sums(membership->parameters());
    for (std::size_t r = 0; r < rows.count.size(); ++r)
      sums.add(rows.count[r].data(), rows.present[r].data(), rows.size[r], rows.weight[r], sum);
    memberships::PriorStatistics all = membership->empty_statistics();
    add_alpha_sums(sum, all);
    membership->maximise(all, mode);
  }
  return {membership->parameters().begin(), membership->parameters().end()};
}

double slope(const Rows& rows, std::vector<double> alpha, std::size_t k) {
  const double step = 1e-4 * alpha[k];
  alpha[k] += step;
  const double up = log_polya(rows, alpha);
  alpha[k] -= 2 * step;
  return (up - log_polya(rows, alpha)) / (2 * step);
}

TEST(AlphaSums, TheFixedPointIsTheMaximumOfThePolyaLikelihood) {
  const std::vector<double> truth = {0.1, 0.4, 0.9};
  for (const bool whole : {true, false}) {
    const Rows rows = planted(truth, whole);
    const auto found = fixed_point(rows, {0.3, 0.3, 0.3}, AlphaMode::fitted);
    for (std::size_t k = 0; k < 3; ++k) {
      EXPECT_NEAR(found[k] * slope(rows, found, k), 0.0, 0.05);
      if (!whole) continue;
      EXPECT_NEAR(found[k], truth[k], 0.1 * truth[k]);
    }
  }
}

TEST(AlphaSums, OneCommonAlphaIsTheMaximumAlongTheDiagonal) {
  const Rows rows = planted({0.25, 0.25, 0.25}, true);
  const auto found = fixed_point(rows, {1, 1, 1}, AlphaMode::symmetric);
  EXPECT_EQ(found[0], found[2]);
  EXPECT_NEAR(found[0], 0.25, 0.02);
  double along = 0;
  for (std::size_t k = 0; k < 3; ++k) along += slope(rows, found, k);
  EXPECT_NEAR(found[0] * along, 0.0, 0.05);
}

// A count that is 1 with probability p and else 0: alpha (digamma(1 + alpha) - digamma(alpha)) = 1.
TEST(AlphaSums, MeansOfUnknownCountsAreTakenApart) {
  const std::vector<double> alpha = {0.05, 0.3};
  const std::vector<float> mean = {0.1F, 0.9F};
  memberships::PriorStatistics sum = memberships::mixed_membership.make(2)->empty_statistics();
  AlphaSums(alpha).add(mean.data(), mean.data(), 1, 2.0, sum);
  EXPECT_NEAR(sum.sum[0], 2 * 0.1, 1e-6);
  EXPECT_NEAR(sum.sum[1], 2 * 0.9, 1e-6);
  // digamma(1 + alpha_0) - digamma(alpha_0) = 1 / alpha_0
  EXPECT_NEAR(*sum.per_alpha, 2 / 0.35, 1e-9);
  EXPECT_EQ(sum.rows, 2.0);
}

}  // namespace
}  // namespace medley::engines
