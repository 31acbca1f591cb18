// SPDX-License-Identifier: Apache-2.0
// Hidden cells and the rest are the data, cut in two at random.
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <tuple>

#include "medley/error.hpp"
#include "medley/predict.hpp"
#include "support/hand_model.hpp"
#include "support/toy.hpp"

namespace medley {
namespace {

using Cells =
    std::multimap<std::tuple<std::size_t, std::size_t, std::uint32_t>, std::pair<float, double>>;

// Every cell with its weight and value.
Cells cells_of(const Dataset& data) {
  Cells out;
  for (std::size_t b = 0; b < data.blocks.size(); ++b) {
    const Block& block = data.blocks[b];
    EXPECT_EQ(block.row_start.size(), data.rows + 1);
    for (std::size_t row = 0; row < data.rows; ++row) {
      for (std::uint64_t c = block.row_start[row]; c < block.row_start[row + 1]; ++c) {
        out.insert({{row, b, block.slot[c]},
                    {block.weight_of(c), block.value.empty() ? 0 : block.value[c]}});
      }
    }
  }
  return out;
}

// Levels, numbers and words about the same rows.
Dataset everything(std::size_t rows) {
  core::Rng rng(5, 1);
  std::vector<std::vector<double>> numbers(rows, std::vector<double>(2));
  for (auto& row : numbers) {
    for (double& x : row) x = rng.uniform() < 0.2 ? test::kNoNumber : rng.normal();
  }
  Dataset data = test::dataset({test::random_block(families::categorical_family, rows, 3, 0.1),
                                test::number_block("gaussian", numbers, 2),
                                test::random_block(families::tokens_family, rows, 4, 0.3)});
  data.row_weight.assign(rows, 0.5);
  return data;
}

TEST(HideCells, TheTwoPartsAreTheData) {
  const Dataset data = everything(300);
  const HiddenCells parts = hide_cells(data, 0.3, 1);
  Cells both = cells_of(parts.rest);
  both.merge(cells_of(parts.hidden));
  EXPECT_EQ(both, cells_of(data));
  EXPECT_EQ(parts.rest.row_weight, data.row_weight);
  for (std::size_t b = 0; b < 2; ++b) {
    const auto n = static_cast<double>(data.blocks[b].cells());
    EXPECT_NEAR(static_cast<double>(parts.hidden.blocks[b].cells()), 0.3 * n,
                5 * std::sqrt(0.21 * n));
  }
}

TEST(HideCells, WordsStay) {
  const Dataset data = everything(50);
  const HiddenCells parts = hide_cells(data, 0.9, 1);
  EXPECT_EQ(parts.hidden.blocks[2].cells(), 0U);
  EXPECT_EQ(parts.rest.blocks[2].slot, data.blocks[2].slot);
  EXPECT_EQ(parts.rest.blocks[2].weight, data.blocks[2].weight);
}

TEST(HideCells, TheSeedDecides) {
  const Dataset data = everything(100);
  EXPECT_EQ(cells_of(hide_cells(data, 0.2, 4).hidden), cells_of(hide_cells(data, 0.2, 4).hidden));
  EXPECT_NE(cells_of(hide_cells(data, 0.2, 4).hidden), cells_of(hide_cells(data, 0.2, 5).hidden));
}

TEST(HideCells, ReplicatesOfACellGoTogether) {
  Dataset data = test::dataset({test::level_block("categorical", {}, {3, 2})});
  data.rows = 200;
  for (std::size_t row = 0; row < data.rows; ++row) {
    data.blocks[0].slot.insert(data.blocks[0].slot.end(), {0, 0, 2, 3});
    data.blocks[0].row_start.push_back(data.blocks[0].slot.size());
  }
  const HiddenCells parts = hide_cells(data, 0.5, 1);
  const Block& hidden = parts.hidden.blocks[0];
  std::map<std::uint64_t, int> sizes;
  for (std::size_t row = 0; row < data.rows; ++row)
    ++sizes[hidden.row_start[row + 1] - hidden.row_start[row]];
  EXPECT_EQ(sizes.count(2), 0U);  // three replicates, one cell, or both, or none
  EXPECT_EQ(sizes.size(), 4U);
}

TEST(HideCells, AShareIsBetweenNoneAndAll) {
  const Dataset data = everything(3);
  for (const double share : {0.0, 1.0, -0.1, std::nan("")})
    EXPECT_THROW((void)hide_cells(data, share, 1), InputError);
}

}  // namespace
}  // namespace medley
