// SPDX-License-Identifier: Apache-2.0
// Statistics from the entries that are not 0 against the plain loop over all of them.
#include "kernels/active_sums.hpp"

#include <gtest/gtest.h>

#include "core/rng.hpp"
#include "kernels/reference.hpp"

namespace medley::kernels {
namespace {

TEST(ActiveSums, EqualThePlainLoopOverAllEntries) {
  constexpr std::size_t kRows = 30, kComponents = 19, kCells = 500;
  core::Rng rng(3, 9);
  std::vector<std::vector<double>> vectors(kRows, std::vector<double>(kComponents, 0.0));
  std::vector<std::size_t> start = {0};
  std::vector<std::uint32_t> component;
  std::vector<double> value;
  for (std::size_t row = 0; row < kRows; ++row) {
    for (std::size_t k = 0; k < kComponents; ++k) {
      if (row % 5 == 0 || rng.uniform() < 0.8) continue;  // every fifth row has nothing
      vectors[row][k] = rng.uniform();
      component.push_back(static_cast<std::uint32_t>(k));
      value.push_back(vectors[row][k]);
    }
    start.push_back(value.size());
  }
  std::vector<std::uint32_t> row, cell;
  std::vector<double> coefficient;
  for (std::size_t c = 0; c < kCells; ++c) {
    coefficient.push_back(rng.uniform());
    row.push_back(static_cast<std::uint32_t>(rng.below(kRows)));
    cell.push_back(static_cast<std::uint32_t>(rng.below(kCells)));
  }
  const auto expected = reference::accumulate(vectors, row, cell, coefficient);
  std::vector<double> out(kComponents, 2.0);
  accumulate({start.data(), component.data(), value.data()}, row.data(), cell.data(),
             coefficient.data(), kCells, out.data());
  for (std::size_t k = 0; k < kComponents; ++k)
    EXPECT_NEAR(out[k], 2.0 + expected[k], 1e-13 * (1 + expected[k])) << k;
}

}  // namespace
}  // namespace medley::kernels
