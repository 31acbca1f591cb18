// SPDX-License-Identifier: Apache-2.0
#include "math/optimise.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace medley::math {
namespace {

// A parabola in log(factor) whose top is at 1.5^at.
double found(double at, int most, int* calls = nullptr) {
  return best_power(1.5, most, [&](double factor) {
    if (calls != nullptr) ++*calls;
    const double off = std::log(factor) / std::log(1.5) - at;
    return -off * off;
  });
}

TEST(BestPower, IsTheNearestToTheTopEitherWay) {
  EXPECT_NEAR(found(3.2, 8), std::pow(1.5, 3), 1e-12);
  EXPECT_NEAR(found(-2.4, 8), std::pow(1.5, -2), 1e-12);
  EXPECT_EQ(found(0.3, 8), 1);
}

TEST(BestPower, StopsAfterSoManySteps) {
  EXPECT_NEAR(found(100, 4), std::pow(1.5, 4), 1e-12);
  EXPECT_NEAR(found(-100, 4), std::pow(1.5, -4), 1e-12);
}

TEST(BestPower, LooksNoFurtherThanTheFirstFall) {
  int calls = 0;
  EXPECT_NEAR(found(2, 8, &calls), 2.25, 1e-12);
  EXPECT_EQ(calls, 4);  // 1, 1.5, 2.25 and one beyond
}

}  // namespace
}  // namespace medley::math
