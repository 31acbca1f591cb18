// SPDX-License-Identifier: Apache-2.0
#include "predict/rest_rows.hpp"

#include <map>
#include <optional>
#include <tuple>

#include "data/append_cells.hpp"
#include "medley/error.hpp"
#include "predict/places.hpp"

namespace medley::predict {
namespace {

void check_place(const Dataset& data, const CellPlace& place) {
  const bool there = place.row < data.rows && place.block < data.blocks.size() &&
                     place.feature < data.blocks[place.block].features.size();
  if (!there) {
    throw InputError({"cell", "is outside the data", "rows, blocks and features count from 0"});
  }
  if (!predictable(data.blocks[place.block])) {
    throw InputError({"block " + data.blocks[place.block].name, "holds words: no cells to predict",
                      "ask for a column of levels or numbers"});
  }
}

// A row of the data, without the cells at `left_out`.
void append_row(const Dataset& data, std::size_t row, const std::optional<CellPlace>& left_out,
                Dataset& to) {
  for (std::size_t b = 0; b < data.blocks.size(); ++b) {
    const Block& block = data.blocks[b];
    Block& out = to.blocks[b];
    const std::uint64_t begin = block.row_start[row], end = block.row_start[row + 1];
    if (left_out && left_out->block == b) {
      const CellRange gap = cells_at(data, *left_out);
      medley::data::append_cells(block, begin, gap.begin, out);
      medley::data::append_cells(block, gap.end, end, out);
    } else {
      medley::data::append_cells(block, begin, end, out);
    }
    out.row_start.push_back(out.slot.size());
  }
  ++to.rows;
}

}  // namespace

RestRows rest_rows(const Dataset& data, const std::vector<CellPlace>& cells) {
  RestRows out;
  for (const Block& block : data.blocks) out.data.blocks.push_back(block.shape());
  // row, and which of its cells is left out: the block and feature, or one past the last block
  std::map<std::tuple<std::size_t, std::size_t, std::size_t>, std::size_t> known;
  out.rest.reserve(cells.size());
  for (const CellPlace& place : cells) {
    check_place(data, place);
    const bool missing = cells_at(data, place).empty();
    const auto key = missing ? std::tuple(place.row, data.blocks.size(), std::size_t{0})
                             : std::tuple(place.row, place.block, place.feature);
    const auto [found, fresh] = known.try_emplace(key, out.data.rows);
    if (fresh) append_row(data, place.row, missing ? std::nullopt : std::optional(place), out.data);
    out.rest.push_back(found->second);
  }
  return out;
}

}  // namespace medley::predict
