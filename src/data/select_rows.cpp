// SPDX-License-Identifier: Apache-2.0
#include "data/select_rows.hpp"

namespace medley::data {

void append_cells(const Block& from, std::uint64_t begin, std::uint64_t end, Block& to) {
  append_range(from.slot, begin, end, to.slot);
  append_range(from.weight, begin, end, to.weight);
  append_range(from.value, begin, end, to.value);
}

namespace {

Block select(const Block& block, std::span<const std::size_t> rows) {
  Block out = block.shape();
  std::size_t cells = 0;
  for (const std::size_t row : rows) cells += block.row_start[row + 1] - block.row_start[row];
  out.slot.reserve(cells);
  if (!block.weight.empty()) out.weight.reserve(cells);
  if (!block.value.empty()) out.value.reserve(cells);
  out.row_start.reserve(rows.size() + 1);
  for (const std::size_t row : rows) {
    append_cells(block, block.row_start[row], block.row_start[row + 1], out);
    out.row_start.push_back(out.slot.size());
  }
  return out;
}

}  // namespace

Dataset select_rows(const Dataset& data, std::span<const std::size_t> rows) {
  Dataset out;
  out.rows = rows.size();
  out.schema = data.schema;
  out.warnings = data.warnings;
  out.weight_unit = data.weight_unit;
  for (const std::size_t row : rows) {
    if (!data.ids.empty()) out.ids.push_back(data.ids[row]);
    if (!data.row_weight.empty()) out.row_weight.push_back(data.row_weight[row]);
  }
  for (const Block& block : data.blocks) out.blocks.push_back(select(block, rows));
  for (const KeptColumn& column : data.kept) {
    KeptColumn& kept = out.kept.emplace_back(
        KeptColumn{column.name, column.levels, {}, column.labels, column.title});
    for (const std::size_t row : rows) kept.code.push_back(column.code[row]);
  }
  return out;
}

}  // namespace medley::data
