// SPDX-License-Identifier: Apache-2.0
#include "math/logistic_regression.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <vector>

#include "core/rng.hpp"

namespace medley::math {
namespace {

struct Toy {
  std::vector<double> x, weight;
  std::vector<std::int32_t> label;
  std::size_t features, classes;
  [[nodiscard]] LogisticRows rows() const { return {features, classes, x, label, weight}; }
};

// Overlapping classes around different centres, uneven weights, some labels unknown.
Toy random_toy(std::size_t rows, std::size_t features, std::size_t classes) {
  core::Rng rng(4, 2);
  Toy toy = {{}, {}, {}, features, classes};
  for (std::size_t i = 0; i < rows; ++i) {
    const auto label = static_cast<std::int32_t>(rng.below(static_cast<std::uint32_t>(classes)));
    for (std::size_t f = 0; f < features; ++f)
      toy.x.push_back(rng.normal() + (f == 0 ? 0.7 * label : 0.2));
    toy.weight.push_back(0.2 + rng.uniform());
    toy.label.push_back(i % 7 == 3 ? -1 : label);
  }
  return toy;
}

std::vector<double> probabilities(const LogisticRegression& fit, const std::vector<double>& x) {
  std::vector<double> p(fit.classes);
  fit.log_probabilities(x, p);
  for (double& v : p) v = std::exp(v);
  return p;
}

TEST(LogisticRegression, GradientAgreesWithDifferences) {
  const Toy toy = random_toy(30, 3, 4);
  core::Rng rng(8, 1);
  std::vector<double> at(4 * 4), gradient(at.size()), unused(at.size());
  for (double& v : at) v = rng.normal();
  (void)logistic_loss(toy.rows(), 0.3, at, gradient);
  for (std::size_t j = 0; j < at.size(); ++j) {
    constexpr double kStep = 1e-5;
    std::vector<double> up = at, down = at;
    up[j] += kStep;
    down[j] -= kStep;
    const double slope = (logistic_loss(toy.rows(), 0.3, up, unused) -
                          logistic_loss(toy.rows(), 0.3, down, unused)) /
                         (2 * kStep);
    EXPECT_NEAR(gradient[j], slope, 1e-7 * (1 + std::abs(slope))) << j;
  }
}

// Two classes differ by a = a_1 - a_0 and b = b_1 - b_0, penalised with penalty / 4 b^2 since
// b_0 = -b_1 at the best: Newton's method in these two.
std::array<double, 2> newton(const Toy& toy, double penalty) {
  double a = 0, b = 0;
  for (int step = 0; step < 50; ++step) {
    double ga = 0, gb = penalty / 2 * b, haa = 0, hab = 0, hbb = penalty / 2;
    for (std::size_t i = 0; i < toy.label.size(); ++i) {
      if (toy.label[i] < 0) continue;
      const double p = 1 / (1 + std::exp(-a - b * toy.x[i]));
      const double w = toy.weight[i], x = toy.x[i];
      ga += w * (p - toy.label[i]);
      gb += w * (p - toy.label[i]) * x;
      haa += w * p * (1 - p);
      hab += w * p * (1 - p) * x;
      hbb += w * p * (1 - p) * x * x;
    }
    const double determinant = haa * hbb - hab * hab;
    a -= (hbb * ga - hab * gb) / determinant;
    b -= (haa * gb - hab * ga) / determinant;
  }
  return {a, b};
}

TEST(LogisticRegression, TwoClassesAgreeWithNewtonsMethod) {
  const Toy toy = random_toy(60, 1, 2);
  for (const double penalty : {1e-3, 1.0, 20.0}) {
    const auto truth = newton(toy, penalty);
    const LogisticRegression fit = fit_logistic(toy.rows(), penalty);
    EXPECT_NEAR(fit.coefficients[2] - fit.coefficients[0], truth[0], 1e-6) << penalty;
    EXPECT_NEAR(fit.coefficients[3] - fit.coefficients[1], truth[1], 1e-6) << penalty;
  }
}

// Mirrored data: no class is favoured in the middle, and a mirrored row has mirrored probabilities.
TEST(LogisticRegression, SymmetricDataGiveSymmetricProbabilities) {
  const Toy toy = {{1, 2, -0.5, -1, -2, 0.5}, {}, {0, 0, 0, 1, 1, 1}, 1, 2};
  const LogisticRegression fit = fit_logistic(toy.rows(), 0.1);
  EXPECT_TRUE(fit.ended.converged);
  EXPECT_NEAR(probabilities(fit, {0})[0], 0.5, 1e-7);
  EXPECT_NEAR(probabilities(fit, {1.3})[0], probabilities(fit, {-1.3})[1], 1e-7);
  EXPECT_GT(probabilities(fit, {1.3})[0], 0.7);
}

TEST(LogisticRegression, AnInfinitePenaltyLeavesTheClassShares) {
  const Toy toy = {{1, 5, -3, 2, 0, 1}, {1, 1, 2, 1, 1, 4}, {0, 1, 2, 0, 1, -1}, 1, 3};
  const LogisticRegression fit = fit_logistic(toy.rows(), 1e9);
  const auto p = probabilities(fit, {2});
  EXPECT_NEAR(p[0], 2.0 / 6, 1e-6);
  EXPECT_NEAR(p[1], 2.0 / 6, 1e-6);
  EXPECT_NEAR(p[2], 2.0 / 6, 1e-6);
  const Toy uneven = {{1, 5, -3, 2}, {1, 1, 2, 4}, {0, 0, 1, 1}, 1, 2};
  EXPECT_NEAR(probabilities(fit_logistic(uneven.rows(), 1e9), {-1})[1], 0.75, 1e-6);
}

// Separable without end: only the penalty keeps the slopes finite, and less of it steeper.
TEST(LogisticRegression, SeparableDataStayFinite) {
  const Toy toy = {{-2, -1, 1, 2}, {}, {0, 0, 1, 1}, 1, 2};
  const LogisticRegression loose = fit_logistic(toy.rows(), 1e-4);
  const LogisticRegression tight = fit_logistic(toy.rows(), 1);
  EXPECT_GT(loose.coefficients[3], tight.coefficients[3]);
  EXPECT_GT(probabilities(loose, {1})[1], 0.99);
  for (const double v : fit_logistic(toy.rows(), 0).coefficients) EXPECT_TRUE(std::isfinite(v));
}

TEST(LogisticRegression, AClassWithoutRowsIsImpossibleAndChangesNothing) {
  Toy toy = random_toy(40, 2, 2);
  const LogisticRegression two = fit_logistic(toy.rows(), 0.5);
  for (std::int32_t& l : toy.label) l = l == 1 ? 2 : l;
  toy.classes = 4;
  const LogisticRegression four = fit_logistic(toy.rows(), 0.5);
  const auto p = probabilities(two, {0.3, -1}), q = probabilities(four, {0.3, -1});
  EXPECT_DOUBLE_EQ(q[0], p[0]);
  EXPECT_DOUBLE_EQ(q[2], p[1]);
  EXPECT_LT(q[1], 1e-290);
  EXPECT_LT(q[3], 1e-290);
}

TEST(LogisticRegression, WithoutALabelEveryClassIsAsLikely) {
  const Toy toy = {{1, 2}, {}, {-1, -1}, 1, 4};
  for (const double p : probabilities(fit_logistic(toy.rows(), 1), {3})) EXPECT_EQ(p, 0.25);
}

// Weight 3 is three rows.
TEST(LogisticRegression, WeightsRepeatRows) {
  const Toy weighted = {{0.5, -1, 2}, {3, 1, 1}, {0, 1, 1}, 1, 2};
  const Toy repeated = {{0.5, 0.5, 0.5, -1, 2}, {}, {0, 0, 0, 1, 1}, 1, 2};
  const auto a = fit_logistic(weighted.rows(), 0.2), b = fit_logistic(repeated.rows(), 0.2);
  for (std::size_t j = 0; j < a.coefficients.size(); ++j)
    EXPECT_NEAR(a.coefficients[j], b.coefficients[j], 1e-6);
}

}  // namespace
}  // namespace medley::math
