// SPDX-License-Identifier: Apache-2.0
// Quantiles, moments and cumulative probabilities of mixtures against sorted samples and sums
// written down here.
#include "predict/cell_mixture.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "support/hand_model.hpp"

namespace medley::predict {
namespace {

const std::vector<double> kShare = {0.2, 0.5, 0.3};

// One column under three components.
struct Column {
  Column(const std::string& name, const std::vector<std::vector<double>>& parameters,
         double shift = 0)
      : block(test::number_block(name, {}, 1)) {
    block.features[0].shift = shift;
    family = families::find(name)->make(block, kShare.size());
    test::set_numbers(*family, {parameters});
    family->prepare(true);
  }
  [[nodiscard]] CellMixture mixture(std::span<const double> share = kShare) const {
    return {*family, block, 0, share};
  }
  Block block;
  std::unique_ptr<families::Family> family;
};

const std::vector<std::vector<double>> kNormals = {{-3, 0, 8}, {0.25, 1, 9}};

double poisson(double rate, int x) {
  return std::exp(x * std::log(rate) - rate - std::lgamma(x + 1));
}

TEST(CellMixture, QuantilesOfNumbersAreThoseOfALargeSample) {
  const Column column("gaussian", kNormals);
  std::mt19937_64 random(7);
  std::discrete_distribution<std::size_t> component(kShare.begin(), kShare.end());
  std::normal_distribution<double> normal;
  std::vector<double> sample(400'000);
  for (double& x : sample) {
    const std::size_t k = component(random);
    x = kNormals[0][k] + std::sqrt(kNormals[1][k]) * normal(random);
  }
  std::ranges::sort(sample);
  const auto n = static_cast<double>(sample.size());
  for (const double q : {0.001, 0.05, 0.25, 0.5, 0.75, 0.95, 0.999}) {
    const double at = column.mixture().quantile(q);
    const auto below = static_cast<double>(std::ranges::upper_bound(sample, at) - sample.begin());
    EXPECT_NEAR(below / n, q, 5 * std::sqrt(q * (1 - q) / n)) << q;
    EXPECT_NEAR(column.mixture().cumulative(at), q, 1e-10) << q;
  }
}

TEST(CellMixture, MomentsFollowFromTheComponents) {
  const families::Moments moments = Column("gaussian", kNormals).mixture().moments();
  double mean = 0, square = 0;
  for (std::size_t k = 0; k < 3; ++k) {
    mean += kShare[k] * kNormals[0][k];
    square += kShare[k] * (kNormals[1][k] + kNormals[0][k] * kNormals[0][k]);
  }
  EXPECT_NEAR(moments.mean, mean, 1e-12);
  EXPECT_NEAR(moments.variance, square - mean * mean, 1e-12);
}

TEST(CellMixture, AQuantileOfCountsIsTheSmallestThatReachesIt) {
  for (const double shift : {0.0, 1.0, -2.5}) {
    const std::vector<double> rates = {0.4, 6, 40};
    const Column column("poisson", {rates}, shift);
    for (const double q : {0.0001, 0.05, 0.13, 0.5, 0.9, 0.95, 0.9999}) {
      int x = -1;
      for (double sum = 0; sum < q;) {
        ++x;
        for (std::size_t k = 0; k < 3; ++k) sum += kShare[k] * poisson(rates[k], x);
      }
      EXPECT_EQ(column.mixture().quantile(q), x + shift) << q;
    }
  }
}

TEST(CellMixture, AFarAndNarrowComponentIsFound) {
  const Column column("gaussian", {{0, 1e9, -1e9}, {1e-6, 1e-6, 1e-6}});
  EXPECT_NEAR(column.mixture().quantile(0.1), -1e9, 0.01);
  EXPECT_NEAR(column.mixture().quantile(0.4), 0, 0.01);
  EXPECT_NEAR(column.mixture().quantile(0.9), 1e9, 0.01);
}

TEST(CellMixture, LevelsAreMixedByTheShares) {
  const Block block = test::level_block("categorical", {}, {2, 3});
  const auto family = families::find("categorical")->make(block, 3);
  test::set_table(
      *family,
      {{0.5, 0.5, 0.5}, {0.5, 0.5, 0.5}, {0.1, 0.3, 0.7}, {0.2, 0.3, 0.2}, {0.7, 0.4, 0.1}});
  const std::vector<double> p = CellMixture(*family, block, 1, kShare).probabilities();
  ASSERT_EQ(p.size(), 3U);
  EXPECT_NEAR(p[0], 0.02 + 0.15 + 0.21, 1e-15);
  EXPECT_NEAR(p[1], 0.04 + 0.15 + 0.06, 1e-15);
  EXPECT_NEAR(p[2], 0.14 + 0.20 + 0.03, 1e-15);
}

TEST(CellMixture, CountsAreWholeNumbers) {
  EXPECT_TRUE(takes_counts(families::poisson_family));
  EXPECT_FALSE(takes_counts(families::gaussian_family));
}

TEST(CellMixture, ComponentsAreDrawnByTheirShares) {
  core::Rng rng(3, 1);
  const std::vector<double> share = {0.0, 0.3, 0.0, 0.7, 0.0};
  std::vector<int> count(5, 0);
  for (int i = 0; i < 20'000; ++i) ++count[draw_component(share, rng)];
  EXPECT_EQ(count[0] + count[2] + count[4], 0);
  EXPECT_NEAR(count[1], 6000, 5 * std::sqrt(20'000 * 0.21));
}

}  // namespace
}  // namespace medley::predict
