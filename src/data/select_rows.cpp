// SPDX-License-Identifier: Apache-2.0
#include "data/select_rows.hpp"

namespace medley::data {
namespace {

template <class T>
void append(const std::vector<T>& from, std::uint64_t begin, std::uint64_t end,
            std::vector<T>& to) {
  if (from.empty()) return;
  to.insert(to.end(), from.begin() + static_cast<std::ptrdiff_t>(begin),
            from.begin() + static_cast<std::ptrdiff_t>(end));
}

Block select(const Block& block, std::span<const std::size_t> rows) {
  Block out = block.shape();
  std::size_t cells = 0;
  for (const std::size_t row : rows) cells += block.row_start[row + 1] - block.row_start[row];
  out.slot.reserve(cells);
  if (!block.weight.empty()) out.weight.reserve(cells);
  if (!block.value.empty()) out.value.reserve(cells);
  out.row_start.reserve(rows.size() + 1);
  for (const std::size_t row : rows) {
    const std::uint64_t begin = block.row_start[row], end = block.row_start[row + 1];
    append(block.slot, begin, end, out.slot);
    append(block.weight, begin, end, out.weight);
    append(block.value, begin, end, out.value);
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
  for (const std::size_t row : rows) {
    if (!data.ids.empty()) out.ids.push_back(data.ids[row]);
    if (!data.row_weight.empty()) out.row_weight.push_back(data.row_weight[row]);
  }
  for (const Block& block : data.blocks) out.blocks.push_back(select(block, rows));
  for (const KeptColumn& column : data.kept) {
    KeptColumn& kept = out.kept.emplace_back(KeptColumn{column.name, column.levels, {}});
    for (const std::size_t row : rows) kept.code.push_back(column.code[row]);
  }
  return out;
}

}  // namespace medley::data
