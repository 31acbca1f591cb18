// SPDX-License-Identifier: Apache-2.0
#include "evaluate/completion.hpp"

#include <algorithm>

#include "core/parallel.hpp"
#include "core/rng.hpp"
#include "evaluate/purposes.hpp"
#include "kernels/lanes.hpp"
#include "kernels/pass.hpp"

namespace medley::evaluation {
namespace {

void append(const Block& from, std::uint64_t cell, float weight, Block& to) {
  to.slot.push_back(from.slot[cell]);
  if (!from.value.empty()) to.value.push_back(from.value[cell]);
  if (!from.weight.empty()) to.weight.push_back(weight);
}

// The rows without their cells.
Dataset bare(const Dataset& data) {
  Dataset out;
  out.rows = data.rows;
  out.row_weight = data.row_weight;
  out.schema = data.schema;
  for (const Block& block : data.blocks) out.blocks.push_back(block.shape());
  return out;
}

// Deals the cells of one row. A cell of weight w goes in w steps, the last of which may be a
// fraction: a tempered block has such weights.
void deal_row(const Block& block, std::size_t b, std::size_t row, core::Rng& rng,
              std::vector<Dataset>& parts) {
  std::vector<float> share(parts.size());
  for (std::uint64_t c = block.row_start[row]; c < block.row_start[row + 1]; ++c) {
    std::fill(share.begin(), share.end(), 0.0F);
    for (float left = block.weight_of(c); left > 0; left -= 1.0F)
      share[rng.below(parts.size())] += std::min(left, 1.0F);
    for (std::size_t p = 0; p < parts.size(); ++p) {
      if (share[p] > 0) append(block, c, share[p], parts[p].blocks[b]);
    }
  }
  for (Dataset& part : parts) part.blocks[b].row_start.push_back(part.blocks[b].slot.size());
}

// All parts but one; a cell that lies in several of them is a replicate.
Dataset without(const std::vector<Dataset>& parts, std::size_t left_out) {
  Dataset out = bare(parts.front());
  for (std::size_t b = 0; b < out.blocks.size(); ++b) {
    Block& to = out.blocks[b];
    for (std::size_t row = 0; row < out.rows; ++row) {
      for (std::size_t p = 0; p < parts.size(); ++p) {
        if (p == left_out) continue;
        const Block& from = parts[p].blocks[b];
        for (std::uint64_t c = from.row_start[row]; c < from.row_start[row + 1]; ++c)
          append(from, c, from.weight_of(c), to);
      }
      to.row_start.push_back(to.slot.size());
    }
  }
  return out;
}

// log sum_k share_k l_ok, summed over the cells of a row in one block.
double score_cells(const families::Family& family, const Block& block, std::size_t row,
                   const std::vector<double>& share) {
  const std::size_t count = block.row_start[row + 1] - block.row_start[row];
  std::vector<double> rows(count * share.size()), norm(count), weight(count);
  for (std::size_t o = 0; o < count; ++o)
    weight[o] = static_cast<double>(block.weight_of(block.row_start[row] + o));
  const double log_scale = family.likelihood_rows(block, row, rows.data());
  kernels::norms(rows.data(), count, share.size(), share.data(), norm.data());
  return log_scale + kernels::sum_log(norm.data(), weight.data(), count);
}

// Adds the score of the tested part to every row that has something in both parts.
void score_part(const model::ModelOnData& model, const Dataset& tested, const Dataset& observed,
                std::size_t threads, Estimates& into) {
  constexpr std::size_t kChunk = 64;
  const model::ScoredRows scored = model.predictive(observed, threads);
  const std::size_t components = model.parts().components();
  core::parallel_for((tested.rows + kChunk - 1) / kChunk, core::thread_count(threads),
                     [&](std::size_t chunk, std::size_t) {
                       std::vector<double> share(kernels::padded(components), 0.0);
                       const std::size_t end = std::min(tested.rows, (chunk + 1) * kChunk);
                       for (std::size_t i = chunk * kChunk; i < end; ++i) {
                         std::copy_n(&scored.share[i * components], components, share.begin());
                         for (std::size_t b = 0; b < tested.blocks.size(); ++b) {
                           const double score =
                               score_cells(*model.families()[b], tested.blocks[b], i, share);
                           into.of_block[b][i] += score;
                           into.row[i].log_likelihood += score;
                         }
                       }
                     });
}

// Rows too short to be dealt into the parts lose their cells.
void empty_short_rows(const Dataset& data, std::size_t parts, Dataset& tested) {
  for (Block& block : tested.blocks) {
    Block kept = block.shape();
    for (std::size_t row = 0; row < data.rows; ++row) {
      if (data.observed(row) >= static_cast<double>(parts)) {
        for (std::uint64_t c = block.row_start[row]; c < block.row_start[row + 1]; ++c)
          append(block, c, block.weight_of(c), kept);
      }
      kept.row_start.push_back(kept.slot.size());
    }
    block = std::move(kept);
  }
}

}  // namespace

std::vector<Dataset> deal(const Dataset& data, std::size_t parts, std::uint64_t seed) {
  std::vector<Dataset> out(parts, bare(data));
  for (std::size_t row = 0; row < data.rows; ++row) {
    core::Rng rng(seed, purpose(Purpose::deal), row);
    for (std::size_t b = 0; b < data.blocks.size(); ++b) deal_row(data.blocks[b], b, row, rng, out);
  }
  return out;
}

Estimates complete_rows(const model::ModelOnData& model, const Dataset& data,
                        const EvaluateOptions& options) {
  const std::size_t count = options.threefold ? 3 : 2;
  std::vector<Dataset> parts = deal(data, count, options.seed);
  Estimates out;
  out.row.resize(data.rows);
  out.of_block.assign(data.blocks.size(), std::vector<double>(data.rows, 0.0));
  for (std::size_t p = 0; p < (options.threefold ? count : 1); ++p) {
    const Dataset observed = without(parts, p);
    empty_short_rows(data, count, parts[p]);
    score_part(model, parts[p], observed, options.threads, out);
  }
  out.tested = options.threefold ? without(parts, count) : std::move(parts.front());
  return out;
}

}  // namespace medley::evaluation
