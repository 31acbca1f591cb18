// SPDX-License-Identifier: Apache-2.0
#include "math/descriptive.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace medley::math {
namespace {

// The 15 comparisons of Benjamini and Hochberg (1995, section 4): the first four are discoveries.
TEST(FalseDiscovery, ThePublishedExample) {
  std::vector<double> p = {0.0001, 0.0004, 0.0019, 0.0095, 0.0201, 0.0278, 0.0298, 0.0344,
                           0.0459, 0.3240, 0.4262, 0.5719, 0.6528, 0.7590, 1.0000};
  EXPECT_EQ(false_discovery_level(p, 0.05), 0.0095);
  std::ranges::reverse(p);
  EXPECT_EQ(false_discovery_level(p, 0.05), 0.0095);
}

// The second is above its own limit, yet counts because the third is below its.
TEST(FalseDiscovery, GoesByTheLastOneBelowItsLimit) {
  EXPECT_EQ(false_discovery_level({0.01, 0.04, 0.05}, 0.05), 0.05);
  EXPECT_EQ(false_discovery_level({0.01, 0.04, 0.06}, 0.05), 0.01);
}

TEST(FalseDiscovery, NothingCounts) {
  EXPECT_LT(false_discovery_level({0.2, 0.9}, 0.05), 0);
  EXPECT_LT(false_discovery_level({}, 0.05), 0);
  EXPECT_EQ(false_discovery_level({0.0, 1.0}, 0.05), 0);
}

}  // namespace
}  // namespace medley::math
