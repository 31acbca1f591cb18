// SPDX-License-Identifier: Apache-2.0
#include "memberships/locations.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace medley::memberships {
namespace {

// Three components in two dimensions.
const std::vector<double> kLocations = {1, 0, -0.5, 2, -0.5, -2};

double covariance(const std::vector<double>& l, const std::vector<double>& s, std::size_t i,
                  std::size_t j) {
  double sum = 0;
  for (std::size_t a = 0; a < 2; ++a) {
    for (std::size_t b = 0; b < 2; ++b) sum += l[2 * i + a] * s[2 * a + b] * l[2 * j + b];
  }
  return sum;
}

TEST(Locations, TakeTheCovarianceOfRows) {
  const std::vector<double> moment = {0.5, 0.2, 0.2, 1.5}, one = {1, 0, 0, 1};
  const std::vector<double> next = rescaled(kLocations, moment, 1e12);
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = 0; j < 3; ++j)
      EXPECT_NEAR(covariance(next, one, i, j), covariance(kLocations, moment, i, j), 1e-6);
  }
}

TEST(Locations, StayWhereTheyAreIfRowsAreAsExpected) {
  const std::vector<double> next = rescaled(kLocations, std::vector<double>{1, 0, 0, 1}, 1e15);
  for (std::size_t i = 0; i < 6; ++i) EXPECT_NEAR(next[i], kLocations[i], 1e-6);
}

// One axis: no other length has a larger -n/2 log e - n x / (2 e) - e / (2 sigma2), e its square.
TEST(Locations, TheirPriorShortensThem) {
  constexpr double kRows = 10, kSigma2 = 0.3, kMoment = 1.7;
  const std::vector<double> next =
      rescaled(std::vector<double>{2, -1}, std::vector<double>{kMoment}, kRows * kSigma2);
  const double x = 5 * kMoment, e = next[0] * next[0] + next[1] * next[1];
  EXPECT_NEAR(next[0], -2 * next[1], 1e-12);
  const auto height = [&](double square) {
    return -kRows / 2 * std::log(square) - kRows * x / (2 * square) - square / (2 * kSigma2);
  };
  EXPECT_LT(e, x);
  EXPECT_GT(height(e), height(e * 1.001));
  EXPECT_GT(height(e), height(e / 1.001));
}

}  // namespace
}  // namespace medley::memberships
