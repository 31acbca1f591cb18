// SPDX-License-Identifier: Apache-2.0
#include "math/symmetric.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "core/rng.hpp"

namespace medley::math {
namespace {

// A hand-made positive definite matrix with eigenvalues 4 and 1 along (1, 1) and (1, -1).
const std::vector<double> kMatrix = {2.5, 1.5, 1.5, 2.5};

TEST(Symmetric, WeightedSquaresArePlainSums) {
  const std::vector<double> rows = {9,  1, 2, 9, 9, 3,
                                    -1, 9, 9, 0, 5, 9};  // stride 4, from the second
  const std::vector<double> weight = {2, 0.5, 3};
  const auto out = weighted_squares(std::span(rows).subspan(1), 4, 2, weight);
  EXPECT_NEAR(out[0], 2 * 1 + 0.5 * 9 + 3 * 0, 1e-14);
  EXPECT_NEAR(out[1], 2 * 2 + 0.5 * -3 + 3 * 0, 1e-14);
  EXPECT_EQ(out[1], out[2]);
  EXPECT_NEAR(out[3], 2 * 4 + 0.5 * 1 + 3 * 25, 1e-14);
}

TEST(Symmetric, SolvesAndSaysWhenItCannot) {
  std::vector<double> b = {7, 9};
  ASSERT_TRUE(solve_positive(kMatrix, b));
  EXPECT_NEAR(2.5 * b[0] + 1.5 * b[1], 7, 1e-12);
  EXPECT_NEAR(1.5 * b[0] + 2.5 * b[1], 9, 1e-12);
  std::vector<double> c = {1, 2};
  EXPECT_FALSE(solve_positive(std::vector<double>{1, 2, 2, 1}, c));
  EXPECT_EQ(c, (std::vector<double>{1, 2}));
}

TEST(Symmetric, DrawsHaveTheInverseAsCovariance) {
  constexpr int kDraws = 40'000;
  double xx = 0, xy = 0, yy = 0;
  core::Rng rng(1, 2);
  for (int i = 0; i < kDraws; ++i) {
    std::vector<double> z = {rng.normal(), rng.normal()};
    draw_with_precision(kMatrix, z);
    xx += z[0] * z[0] / kDraws;
    xy += z[0] * z[1] / kDraws;
    yy += z[1] * z[1] / kDraws;
  }
  EXPECT_NEAR(xx, 0.625, 0.02);  // the inverse is [.625, -.375; -.375, .625]
  EXPECT_NEAR(xy, -0.375, 0.02);
  EXPECT_NEAR(yy, 0.625, 0.02);
}

TEST(Symmetric, LeadingAxesAreLongestFirst) {
  const auto axes = leading_axes(kMatrix, 2, 2);  // 2 (1, 1)/sqrt 2, then 1 (1, -1)/sqrt 2
  EXPECT_NEAR(axes[0], std::sqrt(2.0), 1e-12);
  EXPECT_NEAR(axes[2], std::sqrt(2.0), 1e-12);
  EXPECT_NEAR(std::abs(axes[1]), std::sqrt(0.5), 1e-12);
  EXPECT_NEAR(axes[1], -axes[3], 1e-12);
  const auto more = leading_axes(kMatrix, 2, 3);  // what is not there is zero
  EXPECT_EQ(more[2], 0);
  EXPECT_EQ(more[5], 0);
}

// I + X^T X is [3, 1; 1, 2], its inverse [2, -1; -1, 3] / 5.
TEST(Symmetric, AddsInverses) {
  std::vector<double> sum = {1, 1, 1, 1};
  add_inverse(std::vector<double>{1, 1, 1, 0}, 2, 5, sum);
  const std::vector<double> expected = {3, 0, 0, 4};
  for (std::size_t i = 0; i < 4; ++i) EXPECT_NEAR(sum[i], expected[i], 1e-12);
  add_inverse({}, 2, 2, sum);
  EXPECT_NEAR(sum[0], 5, 1e-12);
}

TEST(Symmetric, FunctionsOfEigenvaluesKeepTheAxes) {
  const auto root = of_eigenvalues(kMatrix, 2, [](double x) { return std::sqrt(x); });
  const std::vector<double> expected = {1.5, 0.5, 0.5, 1.5};
  for (std::size_t i = 0; i < 4; ++i) EXPECT_NEAR(root[i], expected[i], 1e-12);
}

}  // namespace
}  // namespace medley::math
