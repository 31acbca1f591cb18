// SPDX-License-Identifier: Apache-2.0
#include "data/distinct.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "core/task.hpp"
#include "data/select_rows.hpp"
#include "medley/error.hpp"

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

namespace {

template <class T>
bool same(const std::vector<T>& values, std::uint64_t a, std::uint64_t b, std::uint64_t count) {
  return values.empty() || std::equal(values.begin() + static_cast<std::ptrdiff_t>(a),
                                      values.begin() + static_cast<std::ptrdiff_t>(a + count),
                                      values.begin() + static_cast<std::ptrdiff_t>(b));
}

bool equal_rows(const Dataset& data, std::size_t a, std::size_t b) {
  return std::ranges::all_of(data.blocks, [&](const Block& block) {
    const std::uint64_t from_a = block.row_start[a];
    const std::uint64_t from_b = block.row_start[b];
    const std::uint64_t count = block.row_start[a + 1] - from_a;
    return count == block.row_start[b + 1] - from_b && same(block.slot, from_a, from_b, count) &&
           same(block.weight, from_a, from_b, count) && same(block.value, from_a, from_b, count);
  });
}

template <class T>
std::size_t hash_of_cells(const std::vector<T>& values, std::uint64_t from, std::uint64_t count) {
  if (values.empty() || count == 0) return 0;
  const auto* bytes = reinterpret_cast<const char*>(values.data() + from);  // any object as bytes
  return std::hash<std::string_view>{}({bytes, count * sizeof(T)});
}

std::size_t hash_row(const Dataset& data, std::size_t row) {
  constexpr std::size_t kMix = 0x9E3779B97F4A7C15ULL;
  std::size_t hash = 0;
  for (const Block& block : data.blocks) {
    const std::uint64_t from = block.row_start[row];
    const std::uint64_t count = block.row_start[row + 1] - from;
    for (const std::size_t part :
         {static_cast<std::size_t>(count), hash_of_cells(block.slot, from, count),
          hash_of_cells(block.weight, from, count), hash_of_cells(block.value, from, count)}) {
      hash = (hash ^ part) * kMix;
      hash ^= hash >> 29U;
    }
  }
  return hash;
}

void append_row(const Dataset& all, std::size_t row, Dataset& to) {
  for (std::size_t b = 0; b < all.blocks.size(); ++b) {
    const Block& block = all.blocks[b];
    Block& out = to.blocks[b];
    append_cells(block, block.row_start[row], block.row_start[row + 1], out);
    out.row_start.push_back(out.slot.size());
  }
  to.row_weight.push_back(0);
  ++to.rows;
}

}  // namespace

DistinctRows distinct_rows(const Dataset& all, Fold fold) {
  if (all.rows >= std::numeric_limits<std::uint32_t>::max()) {
    throw InputError({"data", "more than 4 billion rows", "fit on a sample of the rows"});
  }
  DistinctRows result;
  for (const Block& block : all.blocks) {
    Block& shape = result.data.blocks.emplace_back(block.shape());
    shape.slot.reserve(block.slot.size());
    shape.weight.reserve(block.weight.size());
    shape.value.reserve(block.value.size());
  }
  const KeptColumn* label = fold == Fold::cells_and_label ? all.label() : nullptr;
  if (label != nullptr) {
    result.data.schema = all.schema;
    result.data.kept.push_back({label->name, label->levels, {}});
  }
  const auto class_of = [&](std::size_t row) { return label == nullptr ? 0 : label->code[row]; };
  std::unordered_multimap<std::size_t, std::uint32_t> seen;  // hash -> pattern
  std::vector<std::size_t> first;                            // pattern -> its first row
  for (std::size_t row = 0; row < all.rows; ++row) {
    core::stop_if_asked();
    const std::size_t hash = hash_row(all, row);
    const auto [begin, end] = seen.equal_range(hash);
    const auto found = std::find_if(begin, end, [&](const auto& entry) {
      const std::size_t other = first[entry.second];
      return class_of(other) == class_of(row) && equal_rows(all, other, row);
    });
    auto pattern = static_cast<std::uint32_t>(first.size());
    if (found != end) {
      pattern = found->second;
    } else {
      seen.emplace(hash, pattern);
      first.push_back(row);
      append_row(all, row, result.data);
      if (label != nullptr) result.data.kept[0].code.push_back(class_of(row));
    }
    result.pattern.push_back(pattern);
    result.data.row_weight[pattern] += all.weight_of(row);
  }
  return result;
}

}  // namespace medley::data
