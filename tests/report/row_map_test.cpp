// SPDX-License-Identifier: Apache-2.0
#include "report/row_map.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <vector>

namespace medley::report {
namespace {

std::vector<double> memberships(std::size_t rows, std::size_t components) {
  std::mt19937 draw(3);
  std::gamma_distribution<double> gamma(0.5);
  std::vector<double> out;
  for (std::size_t row = 0; row < rows; ++row) {
    double sum = 0;
    for (std::size_t k = 0; k < components; ++k) sum += out.emplace_back(gamma(draw) + 1e-9);
    for (std::size_t k = 0; k < components; ++k) out[row * components + k] /= sum;
  }
  return out;
}

// Two profiles: the points sqrt(t) lie in a plane, so the map keeps every distance.
TEST(RowMap, OfTwoProfilesNothingIsLost) {
  const std::vector<double> share = memberships(30, 2);
  const RowMap map = row_map(share, 2);
  EXPECT_NEAR(map.shown, 1, 1e-12);
  for (std::size_t i = 0; i < 30; ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      const double here = std::hypot(map.x[i] - map.x[j], map.y[i] - map.y[j]);
      const double there = std::hypot(std::sqrt(share[2 * i]) - std::sqrt(share[2 * j]),
                                      std::sqrt(share[2 * i + 1]) - std::sqrt(share[2 * j + 1]));
      EXPECT_NEAR(here, there, 1e-9);
    }
  }
  EXPECT_NEAR(std::hypot(map.pure_x[0] - map.pure_x[1], map.pure_y[0] - map.pure_y[1]),
              std::sqrt(2.0), 1e-9);
}

TEST(RowMap, SaysHowMuchItShows) {
  constexpr std::size_t kRows = 200, kComponents = 6;
  const std::vector<double> share = memberships(kRows, kComponents);
  const RowMap map = row_map(share, kComponents);
  std::vector<double> mean(kComponents);
  for (std::size_t i = 0; i < share.size(); ++i)
    mean[i % kComponents] += std::sqrt(share[i]) / kRows;
  double all = 0, plane = 0;
  for (std::size_t i = 0; i < share.size(); ++i) {
    const double off = std::sqrt(share[i]) - mean[i % kComponents];
    all += off * off;
  }
  for (std::size_t row = 0; row < kRows; ++row)
    plane += map.x[row] * map.x[row] + map.y[row] * map.y[row];
  EXPECT_NEAR(map.shown, plane / all, 1e-9);
  EXPECT_GT(map.shown, 2.0 / kComponents);  // more than two directions at random would
  EXPECT_LT(map.shown, 1);
}

TEST(RowMap, RowsThatAreAllAlikeHaveAMapToo) {
  const RowMap map = row_map(std::vector<double>{0.5, 0.5, 0.5, 0.5}, 2);
  EXPECT_EQ(map.shown, 1);
  EXPECT_NEAR(map.x[0], 0, 1e-12);
}

}  // namespace
}  // namespace medley::report
