// SPDX-License-Identifier: Apache-2.0
#include "evaluate/feature_columns.hpp"

#include <algorithm>

#include "core/task.hpp"

namespace medley::evaluation {
namespace {

struct Candidate {
  std::size_t block, feature, levels, cells;  // levels: 1 for a number
  bool number;
};

std::vector<std::uint32_t> feature_of_slots(const Block& block) {
  std::vector<std::uint32_t> feature(block.slots());
  for (std::size_t f = 0; f < block.features.size(); ++f) {
    for (std::size_t s = block.first_slot[f]; s < block.first_slot[f + 1]; ++s)
      feature[s] = static_cast<std::uint32_t>(f);
  }
  return feature;
}

std::vector<Candidate> candidates(const Dataset& data) {
  std::vector<Candidate> out;
  for (std::size_t b = 0; b < data.blocks.size(); ++b) {
    const Block& block = data.blocks[b];
    if (block.encoding == Encoding::tokens) continue;
    std::vector<std::size_t> cells(block.slots(), 0);
    for (const std::uint32_t slot : block.slot) ++cells[slot];
    for (std::size_t f = 0; f < block.features.size(); ++f) {
      Candidate& c = out.emplace_back(Candidate{b, f, 0, 0, block.encoding == Encoding::real});
      c.levels = block.first_slot[f + 1] - block.first_slot[f];
      for (std::size_t s = block.first_slot[f]; s < block.first_slot[f + 1]; ++s)
        c.cells += cells[s];
    }
  }
  return out;
}

// The most observed ones within the limit, in the order they came.
std::vector<Candidate> affordable(std::vector<Candidate> all, std::size_t components,
                                  double most_steps) {
  std::ranges::sort(all, [](const Candidate& a, const Candidate& b) {
    if (a.cells != b.cells) return a.cells > b.cells;
    return a.block != b.block ? a.block < b.block : a.feature < b.feature;
  });
  double steps = 0, cells = 0, levels = 0, cells_of_numbers = 0;
  std::size_t taken = 0;
  for (; taken < all.size(); ++taken) {
    const auto own = static_cast<double>(all[taken].cells);
    const auto own_levels = static_cast<double>(all[taken].levels);
    steps += static_cast<double>(taken) * own + cells +
             static_cast<double>(components) * own_levels * levels +
             (all[taken].number ? own * levels : own_levels * cells_of_numbers);
    if (steps > most_steps) break;
    cells += own;
    levels += own_levels;
    if (all[taken].number) cells_of_numbers += own;
  }
  all.resize(taken);
  std::ranges::sort(all, [](const Candidate& a, const Candidate& b) {
    return a.block != b.block ? a.block < b.block : a.feature < b.feature;
  });
  return all;
}

void add_cells(const Block& block, std::size_t b, std::vector<FeatureColumn>& columns) {
  constexpr std::size_t kNoPlace = static_cast<std::size_t>(-1);
  std::vector<std::size_t> place(block.features.size(), kNoPlace);
  for (std::size_t i = 0; i < columns.size(); ++i) {
    if (columns[i].block == b) place[columns[i].feature] = i;
  }
  const std::vector<std::uint32_t> feature = feature_of_slots(block);
  for (std::size_t row = 0; row + 1 < block.row_start.size(); ++row) {
    core::stop_if_asked();
    for (std::uint64_t c = block.row_start[row]; c < block.row_start[row + 1]; ++c) {
      const std::uint32_t f = feature[block.slot[c]];
      if (place[f] == kNoPlace) continue;
      FeatureColumn& column = columns[place[f]];
      column.row.push_back(static_cast<std::uint32_t>(row));
      if (column.is_number()) {
        column.value.push_back(block.value[c]);
      } else {
        column.level.push_back(block.slot[c] - block.first_slot[f]);
      }
    }
  }
}

}  // namespace

FeatureColumns feature_columns(const Dataset& data, std::size_t components, double most_steps) {
  std::vector<Candidate> all = candidates(data);
  FeatureColumns out;
  out.left_out = all.size();
  std::erase_if(all, [](const Candidate& c) { return !c.number && c.levels < 2; });
  for (const Candidate& c : affordable(std::move(all), components, most_steps)) {
    FeatureColumn& column = out.column.emplace_back();
    column.block = c.block;
    column.feature = c.feature;
    column.about = &data.blocks[c.block].features[c.feature];
    column.row.reserve(c.cells);
  }
  out.left_out -= out.column.size();
  for (std::size_t b = 0; b < data.blocks.size(); ++b) {
    if (data.blocks[b].encoding != Encoding::tokens) add_cells(data.blocks[b], b, out.column);
  }
  return out;
}

}  // namespace medley::evaluation
