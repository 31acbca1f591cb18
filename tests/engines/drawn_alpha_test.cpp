// SPDX-License-Identifier: Apache-2.0
// alpha by the likelihood of rows: against the maximum of the likelihood summed over all
// assignments, against planted alphas where components overlap, and whatever the threads.
#include "engines/drawn_alpha.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "core/rng.hpp"
#include "kernels/lanes.hpp"
#include "support/toy.hpp"

namespace medley::engines {
namespace {

// Topic k has four times as much of every third word as of the others.
constexpr double kTopics[3][6] = {{4, 1, 1, 4, 1, 1}, {1, 4, 1, 1, 4, 1}, {1, 1, 4, 1, 1, 4}};

double probability(std::size_t k, std::size_t v) {
  return kTopics[k][v] / 12;
}

Dataset drawn(const std::vector<double>& alpha, std::size_t rows, std::size_t length) {
  std::vector<std::vector<int>> counts;
  for (std::size_t row = 0; row < rows; ++row) {
    core::Rng rng(3, 5, row);
    std::vector<double> theta;
    double sum = 0;
    for (const double a : alpha) sum += theta.emplace_back(rng.gamma(a));
    auto& own = counts.emplace_back(6, 0);
    for (std::size_t o = 0; o < length; ++o) {
      double u = rng.uniform() * sum;
      std::size_t k = 0, v = 0;
      while (k < 2 && u > theta[k]) u -= theta[k++];
      u = rng.uniform();
      while (v < 5 && u > probability(k, v)) u -= probability(k, v++);
      ++own[v];
    }
  }
  return test::dataset({test::token_block("words", counts)});
}

// Cells with the true tables.
RowDraws draws_of(const Dataset& data) {
  return {data, 3,
          [&](std::size_t row, RowCells& out) {
            const Block& block = data.blocks[0];
            for (std::uint64_t c = block.row_start[row]; c < block.row_start[row + 1]; ++c) {
              for (std::size_t k = 0; k < kernels::padded(3); ++k)
                out.likelihood.push_back(k < 3 ? static_cast<float>(probability(k, block.slot[c]))
                                               : 0.0F);
              out.weight.push_back(block.weight_of(c));
            }
          },
          7};
}

std::vector<double> fitted(const Dataset& data, AlphaMode mode, const std::vector<double>& start,
                           std::size_t threads = 1) {
  RowDraws draws = draws_of(data);
  return drawn_alpha(draws, start, mode, threads);
}

// The likelihood with the memberships integrated out, in closed form: over how many words of a row
// each topic has, the probability of the words summed over all assignments that give these numbers.
class Exact {
 public:
  explicit Exact(const Dataset& data) {
    for (std::size_t row = 0; row < data.rows; ++row) add(data.blocks[0], row);
  }

  /// At alpha_k = a.
  [[nodiscard]] double log_likelihood(double a) const {
    double value = 0;
    for (const auto& ways : rows_) {
      const std::size_t m = ways.size() - 1;
      std::vector<double> rising = {1.0};  // a (a + 1) .. (a + n - 1)
      for (std::size_t n = 0; n < m; ++n)
        rising.push_back(rising.back() * (a + static_cast<double>(n)));
      double p = 0;
      for (std::size_t i = 0; i <= m; ++i) {
        for (std::size_t j = 0; i + j <= m; ++j)
          p += ways[i][j] * rising[i] * rising[j] * rising[m - i - j];
      }
      value += std::log(p) + std::lgamma(3 * a) - std::lgamma(3 * a + static_cast<double>(m));
    }
    return value;
  }

 private:
  using Ways = std::vector<std::vector<double>>;  // [n_0][n_1], the rest n_2

  void add(const Block& block, std::size_t row) {
    Ways ways(1, {1.0});
    for (std::uint64_t c = block.row_start[row]; c < block.row_start[row + 1]; ++c) {
      for (float copy = 0; copy < block.weight_of(c); ++copy) ways = with(ways, block.slot[c]);
    }
    rows_.push_back(std::move(ways));
  }

  static Ways with(const Ways& ways, std::size_t word) {
    const std::size_t m = ways.size();
    Ways next(m + 1, std::vector<double>(m + 1, 0.0));
    for (std::size_t i = 0; i < m; ++i) {
      for (std::size_t j = 0; i + j < m; ++j) {
        next[i + 1][j] += ways[i][j] * probability(0, word);
        next[i][j + 1] += ways[i][j] * probability(1, word);
        next[i][j] += ways[i][j] * probability(2, word);
      }
    }
    return next;
  }

  std::vector<Ways> rows_;
};

TEST(DrawnAlpha, IsTheMaximumOfTheLikelihood) {
  const Dataset data = drawn({0.2, 0.2, 0.2}, 2000, 20);
  const Exact exact(data);
  double best = 0, at_best = -std::numeric_limits<double>::infinity();
  for (double a = 0.1; a < 0.5; a *= 1.04) {
    const double value = exact.log_likelihood(a);
    if (value <= at_best) continue;
    at_best = value;
    best = a;
  }
  for (const double start : {0.05, 0.8}) {
    const auto found = fitted(data, AlphaMode::symmetric, {start, start, start});
    EXPECT_EQ(found[0], found[2]);
    EXPECT_NEAR(found[0], best, 0.12 * best);
  }
}

// They follow more slowly than the sum: from far off once is not enough.
TEST(DrawnAlpha, FindsPlantedProportions) {
  const std::vector<double> truth = {0.1, 0.3, 0.9};
  const Dataset data = drawn(truth, 800, 60);
  RowDraws draws = draws_of(data);
  std::vector<double> found = {0.6, 0.6, 0.6};
  for (int i = 0; i < 3; ++i) found = drawn_alpha(draws, found, AlphaMode::fitted, 1);
  for (std::size_t k = 0; k < 3; ++k) EXPECT_NEAR(found[k], truth[k], 0.25 * truth[k]);
}

// Rows of weight 2 are twice as many rows, and those of weight 0 none.
TEST(DrawnAlpha, WeightsAreNumbersOfRows) {
  Dataset data = drawn({0.2, 0.2, 0.2}, 1200, 40);
  const Dataset other = drawn({2, 2, 2}, 600, 40);
  const Block& more = other.blocks[0];
  Block& block = data.blocks[0];
  block.slot.insert(block.slot.end(), more.slot.begin(), more.slot.end());
  block.weight.insert(block.weight.end(), more.weight.begin(), more.weight.end());
  const std::uint64_t cells = block.row_start.back();
  for (std::size_t row = 1; row < more.row_start.size(); ++row)
    block.row_start.push_back(cells + more.row_start[row]);
  data.rows += other.rows;
  data.row_weight.assign(data.rows, 0.0);
  std::fill_n(data.row_weight.begin(), 1200, 1.5);
  const std::vector<double> start = {0.5, 0.5, 0.5};
  EXPECT_NEAR(fitted(data, AlphaMode::symmetric, start)[0], 0.2, 0.04);
  std::ranges::reverse(data.row_weight);  // all of the others, and half of the first
  std::fill_n(data.row_weight.begin() + 600, 600, 0.0);
  EXPECT_GT(fitted(data, AlphaMode::symmetric, start)[0], 1.2);
}

TEST(DrawnAlpha, RowsWithoutAnythingLeaveItWhereItIs) {
  const Dataset data = test::dataset({test::token_block("words", {{0, 0, 0, 0, 0, 0}})});
  const std::vector<double> start = {0.5, 0.2, 0.1};
  EXPECT_EQ(fitted(data, AlphaMode::fitted, start), start);
}

TEST(DrawnAlpha, ThreadsChangeNoBit) {
  const Dataset data = drawn({0.1, 0.3, 0.9}, 900, 30);
  const auto one = fitted(data, AlphaMode::fitted, {0.6, 0.6, 0.6});
  EXPECT_EQ(one, fitted(data, AlphaMode::fitted, {0.6, 0.6, 0.6}, 2));
  EXPECT_EQ(one, fitted(data, AlphaMode::fitted, {0.6, 0.6, 0.6}, 7));
}

}  // namespace
}  // namespace medley::engines
