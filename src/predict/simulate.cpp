// SPDX-License-Identifier: Apache-2.0
// Rows drawn from a model. Row i depends only on the seed and i: its shares come from the prior,
// then every cell gets a component from the shares and a value from the component.
#include "medley/simulate.hpp"

#include <algorithm>
#include <cmath>

#include "core/parallel.hpp"
#include "core/problems.hpp"
#include "core/rng.hpp"
#include "core/task.hpp"
#include "data/encode_source.hpp"
#include "medley/error.hpp"
#include "model/model.hpp"

namespace medley {
namespace predict {
namespace {

constexpr std::uint64_t kSimulatePurpose =
    0x53494D;  // keeps these draws apart from other uses of a seed
constexpr std::size_t kSimulateRowChunk = 256;

// The cells of some rows in one block.
struct DrawnCells {
  std::vector<std::uint64_t> row_end;
  std::vector<std::uint32_t> slot;
  std::vector<float> weight;
  std::vector<double> value;
};

void check_simulate(const model::Parts& parts, const SimulateOptions& options) {
  core::Problems problems;
  if (options.rows == 0) problems.add("-n", "no rows are asked for", "for example -n 1000");
  if (!(options.missing >= 0 && options.missing < 1))
    problems.add("`missing`", "the share of missing cells must be from 0 to below 1");
  if (!(options.tokens > 0 && options.tokens <= 1e6))
    problems.add("`tokens`", "the mean number of words must be above 0 and at most a million");
  if (options.missing > 0 && parts.schema.missing_as_category)
    problems.add("`missing`", "the model takes missing for an answer of its own and draws it",
                 "leave the option out");
  problems.throw_if_any();
}

// A Poisson number: counts uniforms whose product stays above exp(-mean), in pieces that do not
// underflow. O(mean), like the words that follow.
std::size_t poisson(double mean, core::Rng& rng) {
  constexpr double kPiece = 64;
  std::size_t count = 0;
  while (mean > 0) {
    const double piece = std::min(mean, kPiece);
    mean -= piece;
    for (double product = rng.uniform(); product > std::exp(-piece); product *= rng.uniform())
      ++count;
  }
  return count;
}

// Whether the block is one column of the file whose cells are sets of options.
bool holds_a_set(const Schema& schema, const Block& block) {
  return std::ranges::any_of(schema.sources, [&](const SourceSpec& source) {
    return std::ranges::any_of(source.columns, [&](const ColumnSpec& column) {
      return column.role == Role::feature && column.cells == CellText::set &&
             data::entry_block_name(schema, source, column) == block.name;
    });
  });
}

class RowDrawer {
 public:
  RowDrawer(const model::Parts& parts, const SimulateOptions& options)
      : parts_(parts), options_(options), below_(parts.components()) {
    for (const model::ModelBlock& block : parts.blocks)
      set_.push_back(holds_a_set(parts.schema, block.shape));
  }

  // Draws row `row`; writes the membership that it was drawn from to `shares` (K).
  void draw(std::size_t row, std::span<double> shares, std::span<DrawnCells> into) {
    core::Rng rng(options_.seed, kSimulatePurpose, row);
    parts_.membership->draw(rng, shares);
    double sum = 0;
    for (std::size_t k = 0; k < shares.size(); ++k) below_[k] = sum += shares[k];
    for (std::size_t b = 0; b < parts_.blocks.size(); ++b) {
      const model::ModelBlock& block = parts_.blocks[b];
      if (block.shape.encoding == Encoding::tokens) {
        draw_words(block, rng, into[b]);
      } else if (!set_[b]) {
        draw_cells(block, options_.missing, rng, into[b]);
      } else if (gap(options_.missing, 1, rng) == 0) {  // a set is missing as a whole
        draw_cells(block, 0, rng, into[b]);
      }
      into[b].row_end.push_back(into[b].slot.size());
    }
  }

 private:
  std::size_t component(core::Rng& rng) const {
    const double at = rng.uniform() * below_.back();
    const auto found = std::upper_bound(below_.begin(), below_.end() - 1, at);
    return static_cast<std::size_t>(found - below_.begin());
  }

  // The number of missing cells before the next observed one is geometric, so that the work is
  // proportional to the observed cells.
  static std::size_t gap(double missing, std::size_t most, core::Rng& rng) {
    if (missing <= 0) return 0;
    const double cells = std::floor(std::log(rng.uniform()) / std::log(missing));
    return cells < static_cast<double>(most) ? nearest_integer_of<std::size_t>(cells) : most;
  }

  void draw_cells(const model::ModelBlock& block, double missing, core::Rng& rng,
                  DrawnCells& into) const {
    const std::size_t features = block.shape.features.size();
    for (std::size_t f = gap(missing, features, rng); f < features;
         f += 1 + gap(missing, features, rng)) {
      const families::Draw cell = block.family->draw(f, component(rng), rng);
      into.slot.push_back(cell.slot);
      if (block.shape.encoding == Encoding::real) into.value.push_back(cell.value);
    }
  }

  void draw_words(const model::ModelBlock& block, core::Rng& rng, DrawnCells& into) {
    words_.clear();
    const std::size_t count = poisson(options_.tokens, rng);
    for (std::size_t i = 0; i < count; ++i)
      words_.push_back(block.family->draw(0, component(rng), rng).slot);
    std::ranges::sort(words_);
    for (std::size_t i = 0; i < words_.size(); ++i) {
      if (i > 0 && words_[i] == words_[i - 1]) {
        into.weight.back() += 1.0F;
      } else {
        into.slot.push_back(words_[i]);
        into.weight.push_back(1.0F);
      }
    }
  }

  const model::Parts& parts_;
  const SimulateOptions& options_;
  std::vector<bool> set_;      // per block: a column of sets
  std::vector<double> below_;  // K: shares summed up
  std::vector<std::uint32_t> words_;
};

template <class T>
void append(std::vector<T>& to, std::vector<T>& from) {
  to.insert(to.end(), from.begin(), from.end());
  from = {};
}

// Copies the chunks of one block in order, and frees each as soon as it is copied.
Block joined(const model::ModelBlock& from, std::vector<std::vector<DrawnCells>>& chunks,
             std::size_t b) {
  Block block = from.shape.shape();
  std::size_t cells = 0;
  for (const auto& chunk : chunks) cells += chunk[b].slot.size();
  block.slot.reserve(cells);
  if (block.encoding == Encoding::real) block.value.reserve(cells);
  if (block.encoding == Encoding::tokens) block.weight.reserve(cells);
  for (auto& chunk : chunks) {
    for (const std::uint64_t end : chunk[b].row_end)
      block.row_start.push_back(block.slot.size() + end);
    append(block.slot, chunk[b].slot);
    append(block.weight, chunk[b].weight);
    append(block.value, chunk[b].value);
  }
  return block;
}

// What reading the written files would add to the cells.
void complete(Dataset& data, std::size_t first) {
  bool named = false;
  for (const SourceSpec& source : data.schema.sources) {
    named =
        named || source.kind == SourceKind::triplets ||
        std::ranges::any_of(source.columns, [](const ColumnSpec& c) { return c.role == Role::id; });
  }
  for (Block& block : data.blocks) {
    const auto source = std::ranges::find(data.schema.sources, block.name, &SourceSpec::name);
    const bool log = source != data.schema.sources.end() && source->kind == SourceKind::triplets;
    if (!log && block.encoding != Encoding::tokens)
      block.missing = data.rows * block.features.size() - block.cells();
    const auto factor = data.schema.block_weight.find(block.name);
    if (factor == data.schema.block_weight.end()) continue;
    block.weight.resize(block.cells(), 1.0F);
    for (float& weight : block.weight) weight *= static_cast<float>(factor->second);
  }
  if (!named) return;
  for (std::size_t row = 0; row < data.rows; ++row)
    data.ids.push_back(std::to_string(first + row + 1));
}

}  // namespace
}  // namespace predict

Simulated simulate(const Model& model, const SimulateOptions& options, const Hooks& hooks) {
  const core::Task task(hooks);
  const model::Parts& parts = model.parts();
  predict::check_simulate(parts, options);
  parts.prepare_draws();
  Simulated out;
  out.membership.components = parts.components();
  out.membership.share.resize(options.rows * parts.components());
  const std::size_t size = predict::kSimulateRowChunk;
  std::vector<std::vector<predict::DrawnCells>> chunks((options.rows + size - 1) / size);
  core::Stage stage("drawing rows", options.rows);
  core::parallel_for(
      chunks.size(), core::thread_count(options.threads), [&](std::size_t c, std::size_t) {
        chunks[c].resize(parts.blocks.size());
        predict::RowDrawer drawer(parts, options);
        stage.add(std::min(options.rows, (c + 1) * size) - c * size);
        for (std::size_t row = c * size; row < std::min(options.rows, (c + 1) * size); ++row) {
          core::stop_if_asked();
          core::stop_if_asked();
          drawer.draw(
              options.first + row,
              std::span(out.membership.share).subspan(row * parts.components(), parts.components()),
              chunks[c]);
        }
      });
  out.data.rows = options.rows;
  out.data.schema = parts.schema;
  for (std::size_t b = 0; b < parts.blocks.size(); ++b)
    out.data.blocks.push_back(predict::joined(parts.blocks[b], chunks, b));
  predict::complete(out.data, options.first);
  return out;
}

}  // namespace medley
