// SPDX-License-Identifier: Apache-2.0
#include "evaluate/flips.hpp"

#include <algorithm>
#include <utility>

#include "core/rng.hpp"
#include "core/task.hpp"
#include "data/feature_of.hpp"
#include "predict/places.hpp"
#include "predict/purposes.hpp"

namespace medley::evaluation {
namespace {

bool yes_no(const Block& block, std::size_t feature) {
  return block.encoding == Encoding::levels && block.features[feature].levels.size() == 2;
}

}  // namespace

std::vector<CellPlace> shuffled_yes_no_cells(const Dataset& data, std::uint64_t seed) {
  std::vector<CellPlace> places;
  for (std::size_t row = 0; row < data.rows; ++row) {
    core::stop_if_asked();
    for (std::size_t b = 0; b < data.blocks.size(); ++b) {
      const Block& block = data.blocks[b];
      std::size_t before = block.features.size();
      for (std::uint64_t c = block.row_start[row]; c < block.row_start[row + 1]; ++c) {
        const std::size_t feature = medley::data::feature_of(block, block.slot[c]);
        const bool repeated = feature == std::exchange(before, feature);
        if (!repeated && yes_no(block, feature)) places.push_back({row, b, feature});
      }
    }
  }
  core::Rng rng(seed, predict::purpose(predict::Purpose::flip));
  for (std::size_t left = places.size(); left > 1; --left)
    std::swap(places[left - 1], places[rng.below(left)]);
  return places;
}

Dataset with_flips(Dataset data, std::span<const CellPlace> places) {
  for (const CellPlace& place : places) {
    const predict::CellRange cells = predict::cells_at(data, place);
    Block& block = data.blocks[place.block];
    const std::uint32_t both = 2 * block.first_slot[place.feature] + 1;  // sum of the two slots
    for (std::uint64_t c = cells.begin; c < cells.end; ++c) block.slot[c] = both - block.slot[c];
    std::reverse(block.slot.begin() + static_cast<std::ptrdiff_t>(cells.begin),
                 block.slot.begin() + static_cast<std::ptrdiff_t>(cells.end));  // ascending again
  }
  return data;
}

}  // namespace medley::evaluation
