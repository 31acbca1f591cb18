// SPDX-License-Identifier: Apache-2.0
#include "math/logs.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace medley::math {
namespace {

TEST(LogMean, OfEqualWeightsIsThatWeight) {
  const std::vector<double> weights(10, -1234.5);
  const LogMean e = log_mean(weights);
  EXPECT_DOUBLE_EQ(e.value, -1234.5);
  EXPECT_DOUBLE_EQ(e.effective, 10);
  EXPECT_NEAR(e.standard_error, 0, 1e-12);
}

TEST(LogMean, StandardErrorIsThatOfTheMeanRelativeToIt) {
  const std::vector<double> weights = {std::log(1.0), std::log(3.0), std::log(5.0)};
  const LogMean e = log_mean(weights);
  EXPECT_NEAR(e.value, std::log(3.0), 1e-14);
  EXPECT_NEAR(e.standard_error, std::sqrt((4 + 0 + 4) / 2.0 / 3.0) / 3, 1e-14);
  EXPECT_NEAR(e.effective, 81.0 / 35.0, 1e-12);
}

}  // namespace
}  // namespace medley::math
