// SPDX-License-Identifier: Apache-2.0
// The Hungarian method against trying every assignment.
#include "math/assignment.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "core/rng.hpp"

namespace medley::math {
namespace {

// The least sum over all ways to give each of the fewer side a partner of its own.
double by_brute_force(const std::vector<double>& cost, std::size_t rows, std::size_t columns) {
  const bool tall = rows > columns;
  std::vector<std::size_t> order(std::max(rows, columns));
  std::iota(order.begin(), order.end(), std::size_t{0});
  double least = std::numeric_limits<double>::infinity();
  do {
    double sum = 0;
    for (std::size_t i = 0; i < std::min(rows, columns); ++i)
      sum += tall ? cost[order[i] * columns + i] : cost[i * columns + order[i]];
    least = std::min(least, sum);
  } while (std::ranges::next_permutation(order).found);
  return least;
}

double cost_of(const std::vector<double>& cost, std::size_t rows, std::size_t columns) {
  const std::vector<std::size_t> column = assign(cost, rows, columns);
  EXPECT_EQ(column.size(), rows);
  std::vector<bool> taken(columns, false);
  double sum = 0;
  std::size_t pairs = 0;
  for (std::size_t i = 0; i < rows; ++i) {
    if (column[i] == kUnassigned) continue;
    EXPECT_FALSE(taken[column[i]]);
    taken[column[i]] = true;
    sum += cost[i * columns + column[i]];
    ++pairs;
  }
  EXPECT_EQ(pairs, std::min(rows, columns));
  return sum;
}

TEST(Assignment, IsTheLeastOfAllAssignments) {
  core::Rng rng(3, 1);
  for (std::size_t rows = 1; rows <= 7; ++rows) {
    for (std::size_t columns = 1; columns <= 7; ++columns) {
      for (int time = 0; time < 12; ++time) {
        std::vector<double> cost(rows * columns);
        // every third time whole numbers, so that there are ties; negative costs are allowed
        for (double& c : cost)
          c = time % 3 == 0 ? static_cast<double>(rng.below(4)) : 10 * rng.normal();
        EXPECT_NEAR(cost_of(cost, rows, columns), by_brute_force(cost, rows, columns), 1e-9)
            << rows << " x " << columns;
      }
    }
  }
}

TEST(Assignment, FindsAHiddenPermutation) {
  constexpr std::size_t kSize = 60;
  core::Rng rng(3, 2);
  std::vector<std::size_t> hidden(kSize);
  std::iota(hidden.begin(), hidden.end(), std::size_t{0});
  for (std::size_t i = kSize; i > 1; --i) std::swap(hidden[i - 1], hidden[rng.below(i)]);
  std::vector<double> cost(kSize * kSize);
  for (std::size_t i = 0; i < kSize; ++i) {
    for (std::size_t j = 0; j < kSize; ++j)
      cost[i * kSize + j] = j == hidden[i] ? 0.0 : 0.01 + rng.uniform();
  }
  EXPECT_EQ(assign(cost, kSize, kSize), hidden);
}

TEST(Assignment, NothingToPair) {
  EXPECT_TRUE(assign({}, 0, 3).empty());
  EXPECT_EQ(assign({}, 2, 0), std::vector<std::size_t>(2, kUnassigned));
}

}  // namespace
}  // namespace medley::math
