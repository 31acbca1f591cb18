// SPDX-License-Identifier: Apache-2.0
#include "data/project.hpp"

#include <algorithm>
#include <string>
#include <unordered_map>
#include <utility>

#include "core/task.hpp"
#include "data/encode.hpp"
#include "data/encode_source.hpp"
#include "data/text/entries.hpp"

namespace medley::data {
namespace {

struct MovedCell {
  std::uint32_t slot;
  float weight;
  double value;
};

// The cells of one row on their way to the new blocks.
class RowMover {
 public:
  RowMover(const Dataset& from, const Targets& targets, Dataset& to)
      : from_(from), targets_(targets), to_(to), cells_(to.blocks.size()) {}

  void move(std::size_t row) {
    for (auto& cells : cells_) cells.clear();
    for (std::size_t b = 0; b < from_.blocks.size(); ++b) collect(b, row);
    for (std::size_t b = 0; b < cells_.size(); ++b) put(b);
  }

 private:
  void collect(std::size_t b, std::size_t row) {
    const Block& block = from_.blocks[b];
    for (std::uint64_t c = block.row_start[row]; c < block.row_start[row + 1]; ++c) {
      const Target& target = targets_[b][block.slot[c]];
      if (target.block == Target::kNowhere) continue;
      const double value = block.value.empty() ? 0.0 : block.value[c];
      if (target.drop_unless && !target.drop_unless(value)) continue;
      const bool next = target.next_slot_if && target.next_slot_if(value);
      cells_[target.block].push_back({target.slot + (next ? 1U : 0U), block.weight_of(c), value});
    }
  }

  void put(std::size_t b) {
    Block& block = to_.blocks[b];
    std::ranges::sort(cells_[b], [](const MovedCell& x, const MovedCell& y) {
      return std::pair(x.slot, x.value) < std::pair(y.slot, y.value);
    });
    for (const MovedCell& cell : cells_[b]) {
      block.slot.push_back(cell.slot);
      block.weight.push_back(cell.weight);
      if (block.encoding == Encoding::real) block.value.push_back(cell.value);
    }
    block.row_start.push_back(block.slot.size());
  }

  const Dataset& from_;
  const Targets& targets_;
  Dataset& to_;
  std::vector<std::vector<MovedCell>> cells_;  // per new block
};

std::string feature_key(const Schema& schema, const Block& block, const Feature& feature) {
  return schema.sources[source_of(schema, block)].name + '\n' + block.family + '\n' + feature.name;
}

// Slots of one feature to those of another with (some of) the same levels.
void match_levels(const Block& a, std::size_t f, const Block& b, std::size_t g, std::uint32_t block,
                  std::vector<Target>& out) {
  if (a.encoding == Encoding::real) {
    out[a.first_slot[f]] = {block, b.first_slot[g], {}, {}};
    return;
  }
  std::unordered_map<std::string_view, std::uint32_t> places;
  const std::vector<std::string>& levels = b.features[g].levels;
  for (std::size_t i = 0; i < levels.size(); ++i)
    places.emplace(levels[i], b.first_slot[g] + static_cast<std::uint32_t>(i));
  for (std::size_t i = 0; i < a.features[f].levels.size(); ++i) {
    const auto found = places.find(a.features[f].levels[i]);
    if (found != places.end()) out[a.first_slot[f] + i] = {block, found->second, {}, {}};
  }
}

}  // namespace

std::size_t source_of(const Schema& schema, const Block& block) {
  std::size_t best = 0, length = 0;
  for (std::size_t s = 0; s < schema.sources.size(); ++s) {
    const SourceSpec& source = schema.sources[s];
    for (const ColumnSpec& column : source.columns) {
      if (column.role == Role::feature && holds_entries(column) &&
          entry_block_name(schema, source, column) == block.name)
        return s;
    }
    const bool ours = block.name == source.name || block.name.starts_with(source.name + '.');
    if (ours && source.name.size() >= length) {
      best = s;
      length = source.name.size();
    }
  }
  return best;
}

Dataset empty_data(const Schema& schema, const FamilyCatalogue& catalogue) {
  Dataset data = encode({}, schema, {}, catalogue);
  data.warnings.clear();  // they speak of files that are not there
  return data;
}

Targets same_places(const Dataset& from, const Dataset& to) {
  std::unordered_map<std::string, std::pair<std::size_t, std::size_t>> places;
  for (std::size_t b = 0; b < to.blocks.size(); ++b) {
    const Block& block = to.blocks[b];
    for (std::size_t f = 0; f < block.features.size(); ++f)
      places.emplace(feature_key(to.schema, block, block.features[f]), std::pair(b, f));
  }
  Targets targets;
  for (const Block& block : from.blocks) {
    std::vector<Target>& out = targets.emplace_back(block.slots());
    for (std::size_t f = 0; f < block.features.size(); ++f) {
      const auto found = places.find(feature_key(from.schema, block, block.features[f]));
      if (found == places.end()) continue;
      const auto [b, g] = found->second;
      match_levels(block, f, to.blocks[b], g, static_cast<std::uint32_t>(b), out);
    }
  }
  return targets;
}

Dataset remapped(const Dataset& from, Dataset shape, const Targets& targets) {
  shape.rows = from.rows;
  shape.ids = from.ids;
  shape.row_weight = from.row_weight;
  shape.weight_unit = from.weight_unit;
  shape.kept = from.kept;
  shape.warnings = from.warnings;
  for (Block& block : shape.blocks) block.row_start = {0};
  RowMover mover(from, targets, shape);
  for (std::size_t row = 0; row < from.rows; ++row) {
    core::stop_if_asked();
    mover.move(row);
  }
  for (Block& block : shape.blocks) {
    const bool once =
        std::ranges::all_of(block.weight, [](float weight) { return weight == 1.0F; });
    if (once && block.encoding != Encoding::tokens) block.weight = {};
  }
  return shape;
}

}  // namespace medley::data
