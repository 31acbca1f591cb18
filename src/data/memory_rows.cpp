// SPDX-License-Identifier: Apache-2.0
#include "data/memory_rows.hpp"

#include <vector>

#include "data/select_rows.hpp"
#include "data/stream_layout.hpp"

namespace medley::data {
namespace {

template <class T>
std::string mark(const std::vector<T>& values) {
  return "-" + std::to_string(checksum(values.data(), values.size() * sizeof(T)));
}

}  // namespace

MemoryRows::MemoryRows(const Dataset& data) : data_(data), shape_(select_rows(data, {})) {
  for (std::size_t b = 0; b < data.blocks.size(); ++b) {
    shape_.blocks[b].missing = data.blocks[b].missing;
    shape_.blocks[b].unseen = data.blocks[b].unseen;
  }
}

Dataset MemoryRows::batch(std::span<const RowRange> ranges) const {
  std::vector<std::size_t> rows;
  for (const RowRange& range : ranges) {
    for (std::size_t row = range.begin; row < range.end; ++row) rows.push_back(row);
  }
  return select_rows(data_, rows);
}

std::string MemoryRows::fingerprint() const {
  std::string out = "rows-" + std::to_string(data_.rows) + mark(data_.row_weight);
  for (const Block& block : data_.blocks)
    out += mark(block.row_start) + mark(block.slot) + mark(block.weight) + mark(block.value);
  return out;
}

}  // namespace medley::data
