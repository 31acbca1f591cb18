// SPDX-License-Identifier: Apache-2.0
#include "model/parameters.hpp"

#include <gtest/gtest.h>

#include "kernels/lanes.hpp"

namespace medley::model {
namespace {

TEST(Tables, PaddingIsZerosBehindEveryRow) {
  const std::vector<double> table = {1, 2, 3, 4, 5, 6};  // two rows of three
  const std::vector<double> wide = padded(table, 3);
  const std::size_t width = kernels::padded(3);
  ASSERT_EQ(wide.size(), 2 * width);
  for (std::size_t i = 0; i < wide.size(); ++i)
    EXPECT_EQ(wide[i], i % width < 3 ? table[i / width * 3 + i % width] : 0.0);
  EXPECT_EQ(unpadded(wide, 3), table);
}

}  // namespace
}  // namespace medley::model
