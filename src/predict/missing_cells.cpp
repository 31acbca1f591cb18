// SPDX-License-Identifier: Apache-2.0
// The cells that a table lacks. They are counted before they are listed.
#include "core/task.hpp"
#include "data/feature_of.hpp"
#include "medley/error.hpp"
#include "medley/predict.hpp"
#include "predict/places.hpp"

namespace medley {
namespace {

std::size_t observed_pairs(const Block& block, std::size_t row) {
  std::size_t pairs = 0;
  std::size_t before = block.features.size();
  for (std::uint64_t c = block.row_start[row]; c < block.row_start[row + 1]; ++c) {
    const std::size_t feature = medley::data::feature_of(block, block.slot[c]);
    pairs += feature != before ? 1 : 0;
    before = feature;
  }
  return pairs;
}

std::size_t count_missing(const Dataset& data) {
  std::size_t missing = 0;
  for (const Block& block : data.blocks) {
    if (!predict::predictable(block)) continue;
    for (std::size_t row = 0; row < data.rows; ++row)
      missing += block.features.size() - observed_pairs(block, row);
  }
  return missing;
}

}  // namespace

std::vector<CellPlace> missing_cells(const Dataset& data, std::size_t most) {
  check(data);
  const std::size_t count = count_missing(data);
  if (count > most) {
    throw InputError({"data",
                      std::to_string(count) + " cells are missing, more than " +
                          std::to_string(most) + " can be answered at once",
                      "ask for single cells"});
  }
  std::vector<CellPlace> places;
  places.reserve(count);
  for (std::size_t row = 0; row < data.rows; ++row) {
    core::stop_if_asked();
    for (std::size_t b = 0; b < data.blocks.size(); ++b) {
      const Block& block = data.blocks[b];
      if (!predict::predictable(block)) continue;
      for (std::size_t f = 0; f < block.features.size(); ++f) {
        const CellPlace place{row, b, f};
        if (predict::cells_at(data, place).empty()) places.push_back(place);
      }
    }
  }
  return places;
}

}  // namespace medley
