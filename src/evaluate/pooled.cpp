// SPDX-License-Identifier: Apache-2.0
// Several hold-outs as one, as if their cells had been scored together.
#include <cmath>

#include "evaluate/tally.hpp"
#include "medley/predict.hpp"

namespace medley {
namespace {

// Adds the scores of one hold-out to sums; square roots are undone.
void add(const CellScores& from, CellScores& to) {
  const auto cells = static_cast<double>(from.cells);
  const auto levels = static_cast<double>(from.level_cells);
  const auto numbers = static_cast<double>(from.number_cells);
  to.what = from.what;
  to.cells += from.cells;
  to.level_cells += from.level_cells;
  to.number_cells += from.number_cells;
  to.log_loss += cells * from.log_loss;
  to.baseline_log_loss += cells * from.baseline_log_loss;
  to.gain_error = std::hypot(to.gain_error, cells * from.gain_error);
  to.accuracy += levels * from.accuracy;
  to.baseline_accuracy += levels * from.baseline_accuracy;
  to.rmse += numbers * from.rmse * from.rmse;
  to.baseline_rmse += numbers * from.baseline_rmse * from.baseline_rmse;
  to.scaled_rmse += numbers * from.scaled_rmse * from.scaled_rmse;
  to.coverage50 += numbers * from.coverage50;
  to.coverage90 += numbers * from.coverage90;
}

// Perplexities are averaged over the hold-outs, as the papers do.
void add(const NoiseScores& from, std::size_t holdouts, NoiseScores& to) {
  to.share = from.share;
  to.cells += from.cells;
  to.flipped += from.flipped;
  to.log_loss += static_cast<double>(from.cells) * from.log_loss;
  to.perplexity += from.perplexity / static_cast<double>(holdouts);
}

}  // namespace

Holdout pooled(const std::vector<Holdout>& holdouts) {
  Holdout out;
  for (const Holdout& each : holdouts) {
    out.scores.resize(each.scores.size());
    out.flipped.resize(each.flipped.size());
    for (std::size_t i = 0; i < out.scores.size(); ++i) add(each.scores[i], out.scores[i]);
    for (std::size_t i = 0; i < out.flipped.size(); ++i)
      add(each.flipped[i], holdouts.size(), out.flipped[i]);
  }
  for (CellScores& scores : out.scores) {
    evaluation::sums_to_means(scores);
    if (scores.cells > 0) scores.gain_error /= static_cast<double>(scores.cells);
  }
  for (NoiseScores& noise : out.flipped) {
    if (noise.cells > 0) noise.log_loss /= static_cast<double>(noise.cells);
  }
  return out;
}

}  // namespace medley
