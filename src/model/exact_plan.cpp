// SPDX-License-Identifier: Apache-2.0
#include "model/exact_plan.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>
#include <span>
#include <string>

#include "core/task.hpp"
#include "data/slot_index.hpp"
#include "kernels/lanes.hpp"
#include "math/count_lattice.hpp"
#include "medley/error.hpp"

namespace medley::model {
namespace {

using kernels::kLanes;
using Rows = std::span<const std::uint32_t>;

// Messages lie between K^-m and 1 and must stay in the range of a double.
constexpr double kMostLogRange = 600;
constexpr double kMostPlanBytes = 4e9;
// A chunk is split into two where that adds few steps, until its messages fit into the caches and
// there are enough chunks for every thread; and always where its messages would exceed the memory.
constexpr double kCachedBytes = 16e6, kChunkBytes = 256e6;
constexpr double kChunksWanted = 16;
constexpr double kLeastChunkSteps = 2e6;
constexpr double kLittleMore = 1.25;
// Every edge is used three times: for its message, the message back, and the flow through it.
constexpr double kPasses = 3;

// The observations of every row as codes, in one common order of the columns.
struct Sequences {
  std::vector<std::uint64_t> start = {0};
  std::vector<std::uint32_t> code;
  [[nodiscard]] std::span<const std::uint32_t> of(std::size_t row) const {
    return std::span(code).subspan(start[row], start[row + 1] - start[row]);
  }
};

// Columns with many different values come first, where layers are small; columns in which most rows
// agree come last, where sharing saves most. Returns the position of every code.
std::vector<std::uint32_t> places(const Dataset& data, const data::DistinctCells& cells) {
  std::vector<double> weight(cells.data.rows, 0.0);
  for (std::size_t b = 0; b < data.blocks.size(); ++b) {
    for (const std::uint32_t code : cells.code[b]) weight[code] += 1.0;
  }
  struct Key {
    double entropy;  // of the column
    std::size_t block, feature;
    double weight;
    std::uint32_t code;
  };
  std::vector<Key> keys;
  for (std::size_t b = 0; b < data.blocks.size(); ++b) {
    const Block& block = cells.data.blocks[b];
    std::vector<double> total(block.features.size(), 0.0), entropy(total.size(), 0.0);
    std::vector<Key> own;
    for (std::size_t code = 0; code < cells.data.rows; ++code) {
      if (block.row_start[code] == block.row_start[code + 1]) continue;
      const std::size_t feature = data::feature_of(block, block.slot[block.row_start[code]]);
      total[feature] += weight[code];
      own.push_back({0, b, feature, weight[code], static_cast<std::uint32_t>(code)});
    }
    for (const Key& key : own) {
      const double share = key.weight / total[key.feature];
      entropy[key.feature] -= share * std::log(share);
    }
    for (Key& key : own) key.entropy = entropy[key.feature];
    keys.insert(keys.end(), own.begin(), own.end());
  }
  std::ranges::sort(keys, [](const Key& a, const Key& b) {
    if (a.entropy != b.entropy) return a.entropy > b.entropy;
    if (a.block != b.block) return a.block < b.block;
    if (a.feature != b.feature) return a.feature < b.feature;
    if (a.weight != b.weight) return a.weight < b.weight;
    return a.code < b.code;
  });
  std::vector<std::uint32_t> place(cells.data.rows);
  for (std::size_t i = 0; i < keys.size(); ++i) place[keys[i].code] = static_cast<std::uint32_t>(i);
  return place;
}

Sequences sequences(const Dataset& data, const data::DistinctCells& cells) {
  const std::vector<std::uint32_t> place = places(data, cells);
  Sequences out;
  for (std::size_t row = 0; row < data.rows; ++row) {
    core::stop_if_asked();
    for (std::size_t b = 0; b < data.blocks.size(); ++b) {
      const Block& block = data.blocks[b];
      for (std::uint64_t c = block.row_start[row]; c < block.row_start[row + 1]; ++c) {
        const auto copies = integer_of<std::size_t>(block.weight_of(c));
        out.code.insert(out.code.end(), copies, cells.code[b][c]);
      }
    }
    std::ranges::sort(std::span(out.code).subspan(out.start.back()), {},
                      [&](std::uint32_t code) { return place[code]; });
    out.start.push_back(out.code.size());
  }
  return out;
}

// Trees of sequences read from one end. `front`: from the first observation.
class SequenceReader {
 public:
  SequenceReader(const Sequences& sequences, bool front) : sequences_(sequences), front_(front) {}

  [[nodiscard]] std::uint32_t at(std::uint32_t row, std::size_t i) const {
    const auto codes = sequences_.of(row);
    return front_ ? codes[i] : codes[codes.size() - 1 - i];
  }
  void sort(std::vector<std::uint32_t>& rows, std::size_t size) const {
    std::ranges::sort(rows, [&](std::uint32_t a, std::uint32_t b) {
      const std::size_t same = shared(a, b, size);
      return same < size ? at(a, same) < at(b, same) : a < b;
    });
  }
  // The number of observations that two rows share from this end.
  [[nodiscard]] std::size_t shared(std::uint32_t a, std::uint32_t b, std::size_t size) const {
    std::size_t i = 0;
    while (i < size && at(a, i) == at(b, i)) ++i;
    return i;
  }
  // nodes[level] for sorted rows; one at level 0.
  [[nodiscard]] std::vector<double> counts(Rows sorted, std::size_t size) const {
    std::vector<double> nodes(size + 1, 1.0);
    for (std::size_t i = 1; i < sorted.size(); ++i) {
      for (std::size_t level = shared(sorted[i - 1], sorted[i], size) + 1; level <= size; ++level)
        nodes[level] += 1.0;
    }
    return nodes;
  }
  // Levels 1 .. depth of the tree, and the node of every sorted row at the last.
  [[nodiscard]] std::vector<TreeLevel> tree(Rows sorted, std::size_t depth,
                                            std::vector<std::uint32_t>& leaf) const {
    std::vector<TreeLevel> levels(depth);
    leaf.assign(sorted.size(), 0);
    for (std::size_t i = 0; i < sorted.size(); ++i) {
      const std::size_t same = i == 0 ? 0 : shared(sorted[i - 1], sorted[i], depth);
      for (std::size_t level = same; level < depth; ++level) {
        const std::size_t above = level == 0 ? 1 : levels[level - 1].nodes();
        levels[level].parent.push_back(static_cast<std::uint32_t>(above - 1));
        levels[level].code.push_back(at(sorted[i], level));
      }
      if (depth > 0) leaf[i] = static_cast<std::uint32_t>(levels.back().nodes() - 1);
    }
    return levels;
  }

 private:
  const Sequences& sequences_;
  bool front_;
};

// Empty lanes cost as much as others.
double in_lanes(double nodes) {
  return std::ceil(nodes / static_cast<double>(kLanes)) * static_cast<double>(kLanes);
}

class Planner {
 public:
  Planner(const Dataset& data, const data::DistinctCells& cells, std::size_t components)
      : sequences_(sequences(data, cells)),
        front_(sequences_, true),
        back_(sequences_, false),
        components_(components) {}

  // Adds the chunks of all rows of one size, in the order of their ends.
  void add(std::vector<std::uint32_t> rows, std::size_t size, std::vector<ExactChunk>& chunks) {
    back_.sort(rows, size);
    ExactChunk whole = draft(rows, size);
    const double wanted = std::max(whole.steps / kChunksWanted, kLeastChunkSteps);
    split(rows, std::move(whole), wanted, chunks);
  }

 private:
  [[nodiscard]] double states(std::size_t layer) const {
    return math::CountLattice::nodes(components_ - 1, layer);
  }

  // The best meeting layer for these rows, with its cost but without trees.
  [[nodiscard]] ExactChunk draft(Rows by_end, std::size_t size) const {
    std::vector<std::uint32_t> by_beginning(by_end.begin(), by_end.end());
    front_.sort(by_beginning, size);
    const auto beginnings = front_.counts(by_beginning, size);
    const auto ends = back_.counts(by_end, size);
    const auto count = static_cast<double>(components_);
    double edges = 0, messages = 0;  // all ends down to layer 0, no beginnings
    for (std::size_t layer = 0; layer < size; ++layer) {
      edges += in_lanes(ends[size - layer]) * states(layer);
      messages += in_lanes(ends[size - layer]) * states(layer);
    }
    ExactChunk best;
    best.size = size;
    best.steps = std::numeric_limits<double>::infinity();
    for (std::size_t layer = 0; layer <= size; ++layer) {
      const double pairs = static_cast<double>(by_end.size()) * states(layer);
      const double steps = kPasses * (count * edges + pairs);
      if (steps < best.steps) {
        best.steps = steps;
        best.meeting = layer;
        best.bytes = messages * sizeof(double);
      }
      if (layer == size) break;
      edges += in_lanes(beginnings[layer + 1]) * states(layer) -
               in_lanes(ends[size - layer]) * states(layer);
      messages += in_lanes(beginnings[layer + 1]) * states(layer + 1) -
                  in_lanes(ends[size - layer]) * states(layer);
    }
    return best;
  }

  void split(Rows by_end, ExactChunk chunk, double wanted_steps, std::vector<ExactChunk>& chunks) {
    const bool large = chunk.bytes > kCachedBytes || chunk.steps > wanted_steps;
    if (by_end.size() > kLanes && large) {
      const std::size_t middle = cut(by_end, chunk.size);
      const Rows first = by_end.first(middle), second = by_end.subspan(middle);
      ExactChunk one = draft(first, chunk.size), two = draft(second, chunk.size);
      if (chunk.bytes > kChunkBytes || one.steps + two.steps < kLittleMore * chunk.steps) {
        split(first, std::move(one), wanted_steps, chunks);
        split(second, std::move(two), wanted_steps, chunks);
        return;
      }
    }
    grow_trees(by_end, chunk);
    chunks.push_back(std::move(chunk));
  }

  // Where neighbours have least in common, near the middle; at whole lane groups if all are alike.
  [[nodiscard]] std::size_t cut(Rows by_end, std::size_t size) const {
    const std::size_t count = by_end.size(), middle = count / 2;
    std::size_t best = 0;
    std::size_t best_key = std::numeric_limits<std::size_t>::max();
    for (std::size_t i = std::max<std::size_t>(1, count / 3); i <= count - count / 3; ++i) {
      if (i >= count) break;
      const std::size_t off = i > middle ? i - middle : middle - i;
      const std::size_t key =
          (back_.shared(by_end[i - 1], by_end[i], size) * 2 + (i % kLanes == 0 ? 0 : 1)) * count +
          off;
      if (key < best_key) {
        best_key = key;
        best = i;
      }
    }
    return best;
  }

  void grow_trees(Rows by_end, ExactChunk& chunk) const {
    chunk.row.assign(by_end.begin(), by_end.end());
    chunk.ends = back_.tree(by_end, chunk.size - chunk.meeting, chunk.ends_at);
    std::vector<std::uint32_t> order(by_end.size());
    std::iota(order.begin(), order.end(), 0U);
    std::vector<std::uint32_t> by_beginning(by_end.begin(), by_end.end());
    front_.sort(by_beginning, chunk.size);
    std::vector<std::uint32_t> leaf;
    chunk.beginnings = front_.tree(by_beginning, chunk.meeting, leaf);
    std::map<std::uint32_t, std::uint32_t> node;
    for (std::size_t i = 0; i < leaf.size(); ++i) node[by_beginning[i]] = leaf[i];
    for (const std::uint32_t row : chunk.row) chunk.begins.push_back(node[row]);
  }

  Sequences sequences_;
  SequenceReader front_, back_;
  std::size_t components_;
};

// Rows grouped by their number of observations, without empty rows.
std::map<std::size_t, std::vector<std::uint32_t>> observed_rows_by_size(const Dataset& data) {
  std::map<std::size_t, std::vector<std::uint32_t>> groups;
  for (std::size_t row = 0; row < data.rows; ++row) {
    core::stop_if_asked();
    const auto size = integer_of<std::size_t>(data.observed(row));
    if (size > 0) groups[size].push_back(static_cast<std::uint32_t>(row));
  }
  return groups;
}

ExactPlan impossible(std::size_t components, std::string why) {
  constexpr double kNever = std::numeric_limits<double>::infinity();
  ExactPlan plan;
  plan.components = components;
  plan.steps = plan.bytes = kNever;
  plan.objection = std::move(why);
  return plan;
}

}  // namespace

ExactPlan plan_exact(const Dataset& data, std::size_t components, double most_steps) {
  if (!data::whole_weights(data))
    return impossible(
        components,
        "it needs whole numbers of observations (no block weights), at most 16 million in a row");
  const auto groups = observed_rows_by_size(data);
  const std::size_t depth = groups.empty() ? 0 : groups.rbegin()->first;
  const double nodes = math::CountLattice::nodes(components, depth);
  // The lattice itself, and the messages of one group of rows.
  const double lattice_bytes = nodes * static_cast<double>(6 * components);
  const double least_bytes = lattice_bytes + nodes * static_cast<double>(kLanes * sizeof(double));
  const double range = static_cast<double>(depth) * std::log(static_cast<double>(components));
  if (range > kMostLogRange || least_bytes > kMostPlanBytes)
    return impossible(components,
                      "rows of " + std::to_string(depth) + " observations are too long");
  ExactPlan plan;
  plan.components = components;
  plan.depth = depth;
  plan.cells = data::distinct_cells(data);
  Planner planner(data, plan.cells, components);
  for (const auto& [size, rows] : groups) planner.add(rows, size, plan.chunks);
  for (const ExactChunk& chunk : plan.chunks) {
    plan.steps += chunk.steps;
    plan.bytes = std::max(plan.bytes, chunk.bytes);
  }
  plan.bytes += lattice_bytes;
  if (plan.steps > most_steps) plan.chunks.clear();
  return plan;
}

}  // namespace medley::model
