// SPDX-License-Identifier: Apache-2.0
#include "math/optimise.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace medley::math {
namespace {

// A linear map of three dimensions with rates 0.9, 0.7 and 0.5, mixed, and its fixed point.
std::vector<double> map(const std::vector<double>& x) {
  const double s = std::sqrt(0.5);
  const std::vector<double> y = {x[0] - 1, x[1] + 2, x[2] - 3};
  const double a = 0.9 * s * (y[0] + y[1]), b = 0.7 * s * (y[0] - y[1]);
  return {1 + s * (a + b), -2 + s * (a - b), 3 + 0.5 * y[2]};
}

TEST(Anderson, SolvesALinearMapInAsManyStepsAsDimensions) {
  Anderson memory(5);
  std::vector<double> x = {5, 5, 5};
  for (int step = 0; step < 5; ++step) {
    const auto g = map(x);
    memory.add(x, g);
    x = memory.ready() ? memory.next() : g;
  }
  EXPECT_NEAR(x[0], 1, 1e-4);
  EXPECT_NEAR(x[1], -2, 1e-4);
  EXPECT_NEAR(x[2], 3, 1e-4);
}

TEST(Anderson, RemembersNoMoreThanItsOrder) {
  Anderson memory(2);
  EXPECT_FALSE(memory.ready());
  for (int i = 0; i < 5; ++i) memory.add({double(i)}, {double(i) + 1});
  ASSERT_EQ(memory.pairs().size(), 3U);
  EXPECT_EQ(memory.pairs().front().x[0], 2);
  // A residual that does not change says nothing: the plain step.
  EXPECT_EQ(memory.next()[0], 5);
  memory.clear();
  EXPECT_FALSE(memory.ready());
}

}  // namespace
}  // namespace medley::math
