// SPDX-License-Identifier: Apache-2.0
// Whether two data sets hold the same: rows, columns, cells.
#pragma once

#include <gtest/gtest.h>

#include "medley/data.hpp"

namespace medley::testing {

inline void expect_same_block(const Block& a, const Block& b) {
  SCOPED_TRACE("block " + a.name);
  EXPECT_EQ(a.name, b.name);
  EXPECT_EQ(a.family, b.family);
  EXPECT_EQ(a.encoding, b.encoding);
  EXPECT_EQ(a.first_slot, b.first_slot);
  EXPECT_EQ(a.row_start, b.row_start);
  EXPECT_EQ(a.slot, b.slot);
  EXPECT_EQ(a.weight, b.weight);
  EXPECT_EQ(a.value, b.value);
  EXPECT_EQ(a.unseen, b.unseen);
  ASSERT_EQ(a.features.size(), b.features.size());
  for (std::size_t f = 0; f < a.features.size(); ++f) {
    EXPECT_EQ(a.features[f].name, b.features[f].name);
    EXPECT_EQ(a.features[f].levels, b.features[f].levels);
    EXPECT_EQ(a.features[f].shift, b.features[f].shift);
  }
}

inline void expect_same_data(const Dataset& a, const Dataset& b) {
  EXPECT_EQ(a.rows, b.rows);
  EXPECT_EQ(a.ids, b.ids);
  EXPECT_EQ(a.row_weight, b.row_weight);
  ASSERT_EQ(a.blocks.size(), b.blocks.size());
  for (std::size_t i = 0; i < a.blocks.size(); ++i) expect_same_block(a.blocks[i], b.blocks[i]);
  ASSERT_EQ(a.kept.size(), b.kept.size());
  for (std::size_t i = 0; i < a.kept.size(); ++i) {
    EXPECT_EQ(a.kept[i].name, b.kept[i].name);
    EXPECT_EQ(a.kept[i].levels, b.kept[i].levels);
    EXPECT_EQ(a.kept[i].code, b.kept[i].code);
  }
}

}  // namespace medley::testing
