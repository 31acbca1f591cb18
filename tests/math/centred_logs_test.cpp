// SPDX-License-Identifier: Apache-2.0
#include "math/logs.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace medley::math {
namespace {

TEST(CentredLogs, TwoRowsByHand) {
  // Row means of the logs of (1, 4) and (4, 1) are log 2; what is left is -+log 2.
  const std::vector<double> counts = {0.5, 3.5, 3.5, 0.5};
  const double log2 = std::log(2.0);
  const auto even = centred_logs(counts, std::vector<double>{1, 1}, 0.5);
  for (const std::size_t i : {0U, 1U, 2U, 3U})
    EXPECT_NEAR(even[i], i == 0 || i == 3 ? -log2 : log2, 1e-15);
  // With weights 3 and 1 the column means are -log 2 / 2 and log 2 / 2.
  const auto uneven = centred_logs(counts, std::vector<double>{3, 1}, 0.5);
  EXPECT_NEAR(uneven[0], -log2 / 2, 1e-15);
  EXPECT_NEAR(uneven[1], log2 / 2, 1e-15);
  EXPECT_NEAR(uneven[2], 1.5 * log2, 1e-15);
  EXPECT_NEAR(uneven[3], -1.5 * log2, 1e-15);
}

TEST(CentredLogs, NoRowsIsNothing) {
  EXPECT_TRUE(centred_logs({}, {}, 0.5).empty());
}

}  // namespace
}  // namespace medley::math
