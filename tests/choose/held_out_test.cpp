// SPDX-License-Identifier: Apache-2.0
// Which candidate is best, on rows made by hand.
#include "choose/paired.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace medley::choose {
namespace {

// `right` of 100 rows are right, from the first on; each row costs `loss`.
HeldOut candidate(std::size_t right, double loss) {
  HeldOut out;
  for (std::size_t i = 0; i < 100; ++i) out.right.push_back(i < right ? 1 : 0);
  out.loss.assign(100, loss);
  return out;
}

TEST(HeldOut, StandardErrorOfAMean) {
  // 80 of 100: sqrt(p (1 - p) / (n - 1))
  const MeanError found = mean_error(candidate(80, 1).right);
  EXPECT_NEAR(found.mean, 0.8, 1e-15);
  EXPECT_NEAR(found.error, std::sqrt(0.8 * 0.2 / 99), 1e-15);
  EXPECT_EQ(mean_error(std::vector<double>{2.5}).error, 0);
}

// Nested right rows: a difference of d rows has the standard error sqrt(d / 100 (1 - d / 100) /
// 99), which is d / 100 at one row and below it from two rows on.
TEST(HeldOut, ClearlyHigherAccuracyWins) {
  EXPECT_EQ(best_of({candidate(80, 0.1), candidate(84, 0.9), candidate(70, 0.1)}), 1U);
}

TEST(HeldOut, WithinOneStandardErrorLogLossDecides) {
  EXPECT_EQ(best_of({candidate(80, 0.5), candidate(81, 0.6), candidate(81, 0.7)}), 0U);
  EXPECT_EQ(best_of({candidate(81, 0.6), candidate(80, 0.5), candidate(60, 0.1)}), 1U);
  // Eight rows lost and six gained are within one error of the difference, however high both are.
  HeldOut a = candidate(90, 0.5), b = candidate(82, 0.4);
  for (std::size_t i = 92; i < 98; ++i) b.right[i] = 1;
  EXPECT_EQ(best_of({a, b}), 1U);
}

TEST(HeldOut, TheFirstOfEqualsWins) {
  EXPECT_EQ(best_of({candidate(80, 0.5), candidate(80, 0.5)}), 0U);
  EXPECT_EQ(best_of({candidate(80, 0.5), candidate(81, 0.5)}), 0U);
  EXPECT_EQ(best_of({candidate(3, 9)}), 0U);
}

}  // namespace
}  // namespace medley::choose
