// SPDX-License-Identifier: Apache-2.0
// Rows dealt into inner folds: sizes, classes, and the rows that stay in training.
#include "choose/inner_validation.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

namespace medley::choose {
namespace {

// Classes of 23, 9, 2 and 1 rows, and 5 rows without one.
KeptColumn uneven() {
  KeptColumn label{"y", {"a", "b", "c", "d"}, {}};
  const std::size_t sizes[] = {23, 9, 2, 1};
  for (std::int32_t h = 0; h < 4; ++h) label.code.insert(label.code.end(), sizes[h], h);
  label.code.insert(label.code.end(), 5, kMissingClass);
  return label;
}

TEST(InnerFolds, EveryFoldHasItsShareOfEveryClass) {
  const KeptColumn label = uneven();
  const std::vector<std::size_t> fold_of = inner_folds(label, 5, 3);
  for (std::size_t fold = 0; fold < 5; ++fold) {
    const auto size = std::ranges::count(fold_of, fold);
    EXPECT_TRUE(size == 6 || size == 7) << size;  // 34 rows may be held out
    for (std::int32_t h = 0; h < 4; ++h) {
      const auto all = std::ranges::count(label.code, h);
      std::ptrdiff_t held_out = 0;
      for (std::size_t row = 0; row < fold_of.size(); ++row)
        held_out += fold_of[row] == fold && label.code[row] == h ? 1 : 0;
      EXPECT_LE(held_out, (all + 4) / 5);
      EXPECT_GE(held_out, all / 5);
      EXPECT_LT(held_out, all) << "no row of class " << h << " is left to learn from";
    }
  }
}

TEST(InnerFolds, RowsWithoutAClassAndOnlyRowsOfAClassAreNeverHeldOut) {
  const KeptColumn label = uneven();
  const std::vector<std::size_t> fold_of = inner_folds(label, 5, 3);
  for (std::size_t row = 0; row < fold_of.size(); ++row)
    EXPECT_EQ(fold_of[row] == kNeverHeldOut, label.code[row] == 3 || label.code[row] < 0) << row;
}

TEST(InnerFolds, DependOnTheSeed) {
  const KeptColumn label = uneven();
  EXPECT_EQ(inner_folds(label, 5, 3), inner_folds(label, 5, 3));
  EXPECT_NE(inner_folds(label, 5, 3), inner_folds(label, 5, 4));
}

TEST(InnerFolds, AsManyAreUsedAsHoldOutEnoughRows) {
  std::vector<std::size_t> fold_of(100);
  for (std::size_t row = 0; row < 100; ++row) fold_of[row] = row % 5;
  EXPECT_EQ(folds_to_use(fold_of, 5, 20), 1U);
  EXPECT_EQ(folds_to_use(fold_of, 5, 21), 2U);
  EXPECT_EQ(folds_to_use(fold_of, 5, 100), 5U);
  EXPECT_EQ(folds_to_use(fold_of, 5, 1000), 5U);
}

}  // namespace
}  // namespace medley::choose
