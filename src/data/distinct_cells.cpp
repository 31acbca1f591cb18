// SPDX-License-Identifier: Apache-2.0
#include "data/distinct_cells.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace medley::data {
namespace {

using Key = std::pair<std::uint32_t, double>;  // slot and value

Key cell_key(const Block& block, std::size_t cell) {
  return {block.slot[cell], block.value.empty() ? 0.0 : block.value[cell]};
}

std::vector<Key> sorted_keys(const Block& block) {
  std::vector<Key> keys;
  keys.reserve(block.cells());
  for (std::size_t c = 0; c < block.cells(); ++c) keys.push_back(cell_key(block, c));
  std::ranges::sort(keys);
  const auto rest = std::ranges::unique(keys);
  keys.erase(rest.begin(), rest.end());
  return keys;
}

// One row per key in block `at`; every other block has an empty row there.
void append_rows(const std::vector<Key>& keys, std::size_t at, Dataset& to) {
  for (const auto& [slot, value] : keys) {
    Block& block = to.blocks[at];
    block.slot.push_back(slot);
    if (block.encoding == Encoding::real) block.value.push_back(value);
    for (Block& other : to.blocks) other.row_start.push_back(other.slot.size());
  }
  to.rows += keys.size();
}

}  // namespace

DistinctCells distinct_cells(const Dataset& all) {
  DistinctCells result;
  for (const Block& block : all.blocks) result.data.blocks.push_back(block.shape());
  for (std::size_t b = 0; b < all.blocks.size(); ++b) {
    const Block& block = all.blocks[b];
    const std::vector<Key> keys = sorted_keys(block);
    const std::size_t first = result.data.rows;
    append_rows(keys, b, result.data);
    auto& code = result.code.emplace_back();
    code.reserve(block.cells());
    for (std::size_t c = 0; c < block.cells(); ++c) {
      const auto found = std::ranges::lower_bound(keys, cell_key(block, c));
      code.push_back(
          static_cast<std::uint32_t>(first + static_cast<std::size_t>(found - keys.begin())));
    }
  }
  return result;
}

bool whole_weights(const Dataset& data) {
  constexpr double kMostInARow = 1 << 24;
  for (const Block& block : data.blocks) {
    if (!std::ranges::all_of(block.weight, [](float w) { return w >= 0 && w == std::floor(w); }))
      return false;
  }
  for (std::size_t row = 0; row < data.rows; ++row) {
    if (!(data.observed(row) <= kMostInARow)) return false;
  }
  return true;
}

}  // namespace medley::data
