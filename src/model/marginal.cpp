// SPDX-License-Identifier: Apache-2.0
#include "model/marginal.hpp"

#include "data/transpose.hpp"
#include "families/registry.hpp"

namespace medley::model {

std::unique_ptr<families::Family> fit_marginal(const Dataset& data, const Block& block,
                                               families::Smoothing smoothing) {
  auto family = families::find(block.family)->make(block, 1);
  const data::Columns columns = data::transpose(block);
  family->observe(block, columns, data.row_weight);
  std::vector<double> vectors(data.rows * family->padded(), 0.0);
  std::vector<double> coefficient(block.cells());
  for (std::size_t row = 0; row < data.rows; ++row) {
    vectors[row * family->padded()] = 1.0;
    for (std::uint64_t c = block.row_start[row]; c < block.row_start[row + 1]; ++c) {
      coefficient[c] = data.weight_of(row) * static_cast<double>(block.weight_of(c));
    }
  }
  family->collect(columns, block, {vectors.data(), coefficient.data(), false, {}}, 0,
                  block.slots());
  if (smoothing.each <= 0) smoothing.each = kMarginalSmoothing;
  family->maximise(smoothing);
  return family;
}

std::vector<double> slot_totals(const Dataset& data, const Block& block) {
  std::vector<double> total(block.slots(), 0.0);
  for (std::size_t row = 0; row < data.rows; ++row) {
    for (std::uint64_t c = block.row_start[row]; c < block.row_start[row + 1]; ++c) {
      total[block.slot[c]] += data.weight_of(row) * static_cast<double>(block.weight_of(c));
    }
  }
  return total;
}

}  // namespace medley::model
