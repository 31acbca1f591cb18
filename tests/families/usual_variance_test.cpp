// SPDX-License-Identifier: Apache-2.0
// The usual variance: that of a normal column, whatever lies far away, and weights are rows.
#include "families/usual_variance.hpp"

#include <gtest/gtest.h>

#include "core/rng.hpp"

namespace medley::families {
namespace {

std::vector<WeightedNumber> each_once(const std::vector<double>& values) {
  std::vector<WeightedNumber> out;
  for (const double value : values) out.push_back({value, 1});
  return out;
}

TEST(UsualVariance, IsTheVarianceOfANormalColumn) {
  core::Rng rng(3, 1);
  std::vector<WeightedNumber> column;
  for (int i = 0; i < 40'000; ++i) column.push_back({5 + 2 * rng.normal(), 1});
  EXPECT_NEAR(usual_variance(column, 1e9), 4, 0.15);
  for (int i = 0; i < 400; ++i) column.push_back({1e6, 1});
  EXPECT_NEAR(usual_variance(column, 1e9), 4, 0.25);
}

TEST(UsualVariance, IsNeverAboveTheVariance) {
  EXPECT_EQ(usual_variance(each_once({-1, -1, 1, 1}), 1), 1);
}

// Of 20 values 16 are 0: the 10 % and 90 % points are 0 and 8.
TEST(UsualVariance, ValuesThatAreMostlyTheSameAreLookedAtFurtherOut) {
  std::vector<double> values(16, 0.0);
  values.insert(values.end(), {6, 7, 8, 900});
  const double deviation = 8 / 2.5631031310892007;
  EXPECT_NEAR(usual_variance(each_once(values), 1e6), deviation * deviation, 1e-12);
  EXPECT_EQ(usual_variance(each_once(std::vector<double>(9, 4.0)), 1.0), 1.0);
  EXPECT_EQ(usual_variance({}, 7), 7);
}

TEST(UsualVariance, AWeightOfThreeIsThreeRows) {
  const std::vector<WeightedNumber> folded = {{9, 1}, {1, 3}, {4, 2}, {2, 1}, {7, 1}, {5, 0}};
  const auto repeated = each_once({1, 1, 1, 2, 4, 4, 7, 9});
  EXPECT_EQ(usual_variance(folded, 100), usual_variance(repeated, 100));
  std::vector<WeightedNumber> scaled = folded;
  for (WeightedNumber& one : scaled) one.weight *= 0.1;
  EXPECT_EQ(usual_variance(scaled, 100), usual_variance(repeated, 100));
}

}  // namespace
}  // namespace medley::families
