// SPDX-License-Identifier: Apache-2.0
#include "evaluate/completion.hpp"

#include <algorithm>

#include "core/parallel.hpp"
#include "evaluate/purposes.hpp"
#include "kernels/lanes.hpp"
#include "model/deal_rows.hpp"

namespace medley::evaluation {
namespace {

using model::empty_short_rows;
using model::score_cells;
using model::without;

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

}  // namespace

std::vector<Dataset> deal(const Dataset& data, std::size_t parts, std::uint64_t seed) {
  return model::deal(data, parts, seed, purpose(Purpose::deal));
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
