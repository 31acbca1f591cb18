// SPDX-License-Identifier: Apache-2.0
#include "math/count_lattice.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <set>

namespace medley::math {
namespace {

TEST(CountLattice, HoldsEveryCountVectorOnceAndInOrder) {
  const CountLattice lattice(3, 5);
  std::size_t nodes = 0;
  for (std::size_t o = 0; o <= 5; ++o) {
    std::vector<std::vector<std::uint16_t>> seen;
    for (std::size_t n = 0; n < lattice.size(o); ++n) {
      const auto at = lattice.counts(o).subspan(n * 3, 3);
      EXPECT_EQ(std::accumulate(at.begin(), at.end(), 0U), o);
      seen.emplace_back(at.begin(), at.end());
    }
    EXPECT_TRUE(std::is_sorted(seen.begin(), seen.end()));
    EXPECT_EQ(std::set(seen.begin(), seen.end()).size(), (o + 1) * (o + 2) / 2);
    EXPECT_EQ(seen.size(), (o + 1) * (o + 2) / 2);
    nodes += seen.size();
  }
  EXPECT_DOUBLE_EQ(CountLattice::nodes(3, 5), static_cast<double>(nodes));
}

TEST(CountLattice, NextIsOneMoreOfTheComponent) {
  for (const std::size_t components : {1U, 2U, 4U, 6U}) {
    const CountLattice lattice(components, 4);
    for (std::size_t o = 0; o < 4; ++o) {
      for (std::size_t n = 0; n < lattice.size(o); ++n) {
        for (std::size_t k = 0; k < components; ++k) {
          const std::size_t to = lattice.next(o)[n * components + k];
          ASSERT_LT(to, lattice.size(o + 1));
          for (std::size_t j = 0; j < components; ++j) {
            EXPECT_EQ(lattice.counts(o + 1)[to * components + j],
                      lattice.counts(o)[n * components + j] + (j == k ? 1 : 0));
          }
        }
      }
    }
  }
}

TEST(CountLattice, CountsItsNodesWithoutBuildingThem) {
  EXPECT_DOUBLE_EQ(CountLattice::nodes(4, 16), 4845);
  EXPECT_NEAR(CountLattice::nodes(7, 16), 245157, 1e-6);
  EXPECT_GT(CountLattice::nodes(50, 100000), 1e100);
}

}  // namespace
}  // namespace medley::math
