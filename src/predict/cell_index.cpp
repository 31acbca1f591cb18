// SPDX-License-Identifier: Apache-2.0
#include "predict/cell_index.hpp"

#include <algorithm>
#include <utility>

#include "core/rng.hpp"
#include "core/task.hpp"
#include "data/select_rows.hpp"
#include "data/slot_index.hpp"
#include "medley/error.hpp"
#include "medley/predict.hpp"

namespace medley::predict {

CellRange cells_at(const Dataset& data, const CellPlace& place) {
  const Block& block = data.blocks[place.block];
  const auto at = [&](std::uint64_t cell) {
    return block.slot.begin() + static_cast<std::ptrdiff_t>(cell);
  };
  const auto first = at(block.row_start[place.row]), last = at(block.row_start[place.row + 1]);
  const auto begin = std::lower_bound(first, last, block.first_slot[place.feature]);
  const auto end = std::lower_bound(begin, last, block.first_slot[place.feature + 1]);
  return {static_cast<std::uint64_t>(begin - block.slot.begin()),
          static_cast<std::uint64_t>(end - block.slot.begin())};
}

}  // namespace medley::predict

namespace medley {

// The cells that a table lacks; they are counted before they are listed.

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

// Hides cells. Replicates of a cell are hidden together, because one that stayed would reveal the
// others.

namespace {

// The same data set without cells.
Dataset emptied(const Dataset& data) {
  Dataset out = data;
  for (Block& block : out.blocks) {
    const std::size_t missing = block.missing, unseen = block.unseen;
    block = block.shape();
    block.missing = missing;
    block.unseen = unseen;
    block.row_start.reserve(data.rows + 1);
  }
  return out;
}

}  // namespace

HiddenCells hide_cells(const Dataset& data, double share, std::uint64_t seed) {
  if (!(share > 0 && share < 1)) {
    throw InputError({"share of hidden cells", "must lie between 0 and 1", "for example 0.1"});
  }
  check(data);
  HiddenCells out{emptied(data), emptied(data)};
  for (std::size_t row = 0; row < data.rows; ++row) {
    core::stop_if_asked();
    core::Rng rng(seed, predict::purpose(predict::Purpose::hide), row);
    for (std::size_t b = 0; b < data.blocks.size(); ++b) {
      const Block& block = data.blocks[b];
      Block& rest = out.rest.blocks[b];
      Block& hidden = out.hidden.blocks[b];
      std::size_t feature = block.features.size();
      bool hide = false;
      for (std::uint64_t c = block.row_start[row]; c < block.row_start[row + 1]; ++c) {
        if (predict::predictable(block)) {
          const std::size_t here = medley::data::feature_of(block, block.slot[c]);
          if (here != std::exchange(feature, here)) hide = rng.uniform() < share;
        }
        medley::data::append_cells(block, c, c + 1, hide ? hidden : rest);
      }
      rest.row_start.push_back(rest.slot.size());
      hidden.row_start.push_back(hidden.slot.size());
    }
  }
  return out;
}

}  // namespace medley
