// SPDX-License-Identifier: Apache-2.0
#include "samplers/clusters.hpp"

#include <gtest/gtest.h>

#include "core/rng.hpp"
#include "support/all_partitions.hpp"

namespace medley::samplers {
namespace {

TEST(Partitions, DisagreementIsCountedPairByPair) {
  const auto all = test::all_partitions(5);
  for (std::size_t d = 0; d < all.size(); d += 3) {
    for (const Labels& other : all) {
      double truth = 0;
      for (std::size_t i = 0; i < 5; ++i) {
        for (std::size_t j = 0; j < i; ++j)
          truth += (all[d][i] == all[d][j]) != (other[i] == other[j]) ? 1 : 0;
      }
      EXPECT_EQ(disagreement(all[d], other), truth);
    }
  }
}

// Against the sum of squares about the co-clustering, as it is defined.
TEST(Partitions, LeastSquaresIsWhatItSays) {
  const auto all = test::all_partitions(6);
  core::Rng rng(1, 1);
  for (int time = 0; time < 20; ++time) {
    std::vector<Labels> draws;
    for (int i = 0; i < 9; ++i) draws.push_back(all[rng.below(all.size())]);
    const std::vector<double> share = co_clustering(draws);
    const auto loss = [&](const Labels& labels) {
      double sum = 0;
      for (std::size_t i = 0; i < 6; ++i) {
        for (std::size_t j = 0; j < 6; ++j) {
          const double off = (labels[i] == labels[j] ? 1.0 : 0.0) - share[i * 6 + j];
          sum += off * off;
        }
      }
      return sum;
    };
    double least = 1e300;
    for (const Labels& labels : draws) least = std::min(least, loss(labels));
    EXPECT_NEAR(loss(draws[least_squares(draws)]), least, 1e-9);
  }
}

TEST(Partitions, CoClusteringIsAShare) {
  const std::vector<Labels> draws = {{0, 0, 1}, {0, 1, 1}, {0, 0, 0}, {0, 1, 2}};
  const std::vector<double> expected = {1, .5, .25, .5, 1, .5, .25, .5, 1};
  EXPECT_EQ(co_clustering(draws), expected);
}

}  // namespace
}  // namespace medley::samplers
