// SPDX-License-Identifier: Apache-2.0
#include "core/rng.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

namespace medley::core {
namespace {

std::vector<std::uint64_t> order(std::uint64_t n, std::uint64_t seed, std::uint64_t purpose) {
  const Permutation permutation(n, seed, purpose);
  std::vector<std::uint64_t> out;
  for (std::uint64_t i = 0; i < n; ++i) out.push_back(permutation(i));
  return out;
}

TEST(Permutation, HoldsEveryNumberOnce) {
  for (const std::uint64_t n : {1U, 2U, 3U, 17U, 256U, 257U, 70'000U}) {
    std::vector<std::uint64_t> sorted = order(n, 3, 5), all(n);
    std::ranges::sort(sorted);
    std::iota(all.begin(), all.end(), std::uint64_t{0});
    EXPECT_EQ(sorted, all) << n;
  }
}

TEST(Permutation, DiffersBySeedAndPurposeAndIsRepeatable) {
  EXPECT_EQ(order(1000, 1, 1), order(1000, 1, 1));
  EXPECT_NE(order(1000, 1, 1), order(1000, 2, 1));
  EXPECT_NE(order(1000, 1, 1), order(1000, 1, 2));
}

// Over many seeds every element is as likely as any other at a place: chi-squared with 9 degrees of
// freedom exceeds 28 once in a thousand; and neighbours do not stay neighbours.
TEST(Permutation, EveryElementIsAsLikelyAnywhere) {
  constexpr std::uint64_t kElements = 10, kSeeds = 5000;
  for (const std::uint64_t place : {0U, 4U, 9U}) {
    std::vector<double> count(kElements, 0.0);
    double follows = 0;
    for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
      const Permutation permutation(kElements, seed, 1);
      ++count[permutation(place)];
      if (permutation((place + 1) % kElements) == (permutation(place) + 1) % kElements) ++follows;
    }
    const double expected = static_cast<double>(kSeeds) / static_cast<double>(kElements);
    double squares = 0;
    for (const double c : count) squares += (c - expected) * (c - expected) / expected;
    EXPECT_LT(squares, 28.0) << place;
    EXPECT_NEAR(follows / static_cast<double>(kSeeds), 1.0 / 9.0, 0.02) << place;
  }
}

}  // namespace
}  // namespace medley::core
