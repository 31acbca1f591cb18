// SPDX-License-Identifier: Apache-2.0
#include "math/descriptive.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace medley::math {
namespace {

TEST(Quantile, LiesBetweenTheValuesAboutIt) {
  const std::vector<double> values = {1, 2, 4, 8, 16};
  EXPECT_EQ(quantile(values, 0), 1);
  EXPECT_EQ(quantile(values, 0.5), 4);
  EXPECT_EQ(quantile(values, 1), 16);
  EXPECT_DOUBLE_EQ(quantile(values, 0.625), 6);
  EXPECT_DOUBLE_EQ(quantile(values, 0.9), 12.8);
  EXPECT_EQ(quantile(std::vector<double>{3}, 0.7), 3);
}

}  // namespace
}  // namespace medley::math
