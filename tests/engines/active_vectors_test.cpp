// SPDX-License-Identifier: Apache-2.0
#include "engines/active_vectors.hpp"

#include <gtest/gtest.h>

#include <span>

namespace medley::engines {
namespace {

// Rows x 8 with 5 components, in the layout of the engine.
core::AlignedVector<double> vectors(const std::vector<std::vector<double>>& rows) {
  core::AlignedVector<double> out;
  for (const auto& row : rows) {
    out.insert(out.end(), row.begin(), row.end());
    out.resize((out.size() + 7) / 8 * 8, 0.0);
  }
  return out;
}

TEST(ActiveVectors, HoldTheEntriesThatCountRowByRow) {
  ActiveVectors active;
  ASSERT_TRUE(active.take(
      vectors({{0, 1, 0, 0, 0}, {0, 0, 0, 0, 0}, {1e-21, 0, 1e-19, 0, 1}, {0, 0, 0, 1, 1e-300}}),
      5));
  const auto* view = active.get();
  EXPECT_EQ(std::vector<std::size_t>(view->start, view->start + 5),
            (std::vector<std::size_t>{0, 1, 1, 3, 4}));
  EXPECT_EQ(std::vector<std::uint32_t>(view->component, view->component + 4),
            (std::vector<std::uint32_t>{1, 2, 4, 3}));
  EXPECT_EQ(std::vector<double>(view->value, view->value + 4),
            (std::vector<double>{1, 1e-19, 1, 1}));
}

TEST(ActiveVectors, AreNotTakenWhereMoreThanAQuarterCounts) {
  ActiveVectors active;
  EXPECT_TRUE(active.take(vectors({{0.5, 0.5, 0, 0, 0}, {0, 0, 0, 0, 0}}), 5));  // 2 of 10
  EXPECT_FALSE(active.take(vectors({{0.5, 0.5, 0, 0, 0}, {1, 0, 0, 0, 0}}), 5));
}

// Components beyond K are padding, whatever it holds.
TEST(ActiveVectors, PaddingIsNotRead) {
  auto padded = vectors({{1, 0, 0, 0, 0}, {0, 0, 0, 0, 1}, {0, 0, 0, 0, 0}});
  padded[7] = 9;
  ActiveVectors active;
  ASSERT_TRUE(active.take(padded, 5));
  EXPECT_EQ(active.get()->start[3], 2U);
}

}  // namespace
}  // namespace medley::engines
