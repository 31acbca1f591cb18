// SPDX-License-Identifier: Apache-2.0
#include "math/descriptive.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace medley::math {
namespace {

TEST(Sums, OfNothingAreZero) {
  EXPECT_EQ(sum({}), 0);
  EXPECT_EQ(dot({}, {}), 0);
  EXPECT_EQ(entropy({}), 0);
}

TEST(Sums, SumAndDotOfWholeNumbersAreExact) {
  const std::vector<double> a = {1, -2, 3}, b = {4, 5, 6};
  EXPECT_EQ(sum(a), 2);
  EXPECT_EQ(dot(a, b), 12);
}

TEST(Sums, EntropyIsTheLogarithmOfTheNumberOfEqualShares) {
  EXPECT_NEAR(entropy(std::vector<double>(8, 0.125)), std::log(8.0), 1e-15);
  EXPECT_EQ(entropy(std::vector<double>{0, 1, 0}), 0);
  EXPECT_NEAR(entropy(std::vector<double>{0.25, 0.75}),
              0.25 * std::log(4.0) + 0.75 * std::log(4.0 / 3), 1e-15);
}

}  // namespace
}  // namespace medley::math
