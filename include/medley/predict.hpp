// SPDX-License-Identifier: Apache-2.0
// What a model says about cells that were not seen. Given the rest of its row a cell is distributed
// as a mixture of the K components, with the row's expected membership as weights; so a missing
// cell has a mean or a most likely level, probabilities, quantiles and draws, not just a guess.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "medley/dataset.hpp"
#include "medley/fit.hpp"
#include "medley/hooks.hpp"
#include "medley/model.hpp"

namespace medley {

/// A cell by its place: a row, a block of the data set and a feature of the block. Blocks of words
/// have no cells to predict.
struct CellPlace {
  std::size_t row = 0, block = 0, feature = 0;
};

/// The distribution of one cell given the other observed cells of its row.
struct CellPrediction {
  CellPlace place;
  std::vector<double> probability;  ///< levels: one per level of the feature; sums to 1
  double mean = 0, sd = 0;          ///< numbers
  bool whole = false;               ///< numbers: the family takes whole ones only (counts)
  std::vector<double> quantile;     ///< numbers: at PredictOptions::quantiles; whole for counts
  std::vector<double> draw;         ///< level index, or number: PredictOptions::draws of them
  /// Index of the most likely level (levels only).
  [[nodiscard]] std::size_t mode() const;
};

struct PredictOptions {
  std::vector<double> quantiles = {0.05, 0.5, 0.95};  ///< each between 0 and 1
  /// Per cell. Draw m of all cells of a row shares one membership drawn from the row's posterior,
  /// so that completed tables keep correlations: theta from the posterior, then a component from
  /// theta for each cell (mixed membership), or one component from r for the whole row (single);
  /// then the cell from its component. A draw depends on seed, place and m alone.
  std::size_t draws = 0;
  std::uint64_t seed = 1;
  std::size_t threads = 0;
};

/// Every cell of a levels or real block that is missing, row by row. Throws InputError if there are
/// more than `most`: a rating log has almost all of its pairs missing.
[[nodiscard]] std::vector<CellPlace> missing_cells(const Dataset& data, std::size_t most);

/// The distribution of each cell, in the order given. A cell that is observed is left out of its
/// own prediction (with its replicates). Numbers are in the units of Block::value.
[[nodiscard]] std::vector<CellPrediction> predict_cells(const Model& model, const Dataset& data,
                                                        const std::vector<CellPlace>& cells,
                                                        const PredictOptions& options,
                                                        const Hooks& hooks = {});

/// An item of a row that was not seen there.
struct Recommendation {
  CellPrediction cell;
  double score = 0;        ///< what the ranking goes by
  double in_training = 0;  ///< (weighted) cells of the item in the training data
};

struct RecommendOptions {
  std::size_t block = 0;  ///< of items: a rating log
  std::size_t top = 10;
  /// Rank by the probability of this level; none: by the mean, of levels that are all numbers too,
  /// else by the probability of the last level.
  std::string level;
  double least_in_training = 5;  ///< items seen less often are left out: little is known of them
  std::size_t threads = 0;
};

/// What Recommendation::score is, in words: "mean value" or "probability of "yes"". Throws
/// InputError if there is no such level.
[[nodiscard]] std::string score_meaning(const Block& block, const RecommendOptions& options);

/// The best items of each row, best first; equal scores in the order of the items.
[[nodiscard]] std::vector<std::vector<Recommendation>> recommend(
    const Model& model, const Dataset& data, const std::vector<std::size_t>& rows,
    const RecommendOptions& options, const Hooks& hooks = {});

/// How well hidden cells are predicted; the baseline predicts each from its column alone. Every
/// cell counts once, whatever its row weighs.
struct CellScores {
  std::string what;       ///< block name, or "all"
  std::size_t cells = 0;  ///< hidden cells that were scored
  double log_loss = 0;    ///< mean -log probability (density) of the true cell, nats
  double baseline_log_loss = 0;
  double gain_error =
      0;  ///< standard error of baseline_log_loss - log_loss, from the spread of rows
  double accuracy = 0, baseline_accuracy = 0;  ///< share of levels that were the most likely one
  double rmse = 0, baseline_rmse = 0;          ///< numbers, in their own units
  double scaled_rmse = 0;  ///< numbers: errors over the standard deviation of their column
  double coverage50 = 0, coverage90 = 0;  ///< numbers: share inside the central intervals; counts
                                          ///< are inside more often, their intervals have steps
  std::size_t level_cells = 0, number_cells = 0;
};

struct HoldoutOptions {
  double share = 0.1;        ///< of the observed cells of levels and real blocks, hidden at random
  std::vector<double> flip;  ///< noise: for each share, also score with that share of the hidden
                             ///< yes/no cells flipped
  std::uint64_t seed = 1;
  std::size_t threads = 0;
};

/// The same hidden cells with some noise put in. A good model finds the true cells likeliest.
struct NoiseScores {
  double share =
      0;  ///< of the hidden yes/no cells that were flipped; a larger share flips these too
  std::size_t cells = 0, flipped = 0;  ///< hidden yes/no cells, and how many were flipped
  double log_loss = 0;  ///< of these cells given the rest of their rows; exp of it: perplexity
  double perplexity =
      0;  ///< of all rows with the hidden cells put back: exp(-bound / observations)
};

struct Holdout {
  std::vector<CellScores> scores;    ///< "all" first, then one per block of levels or numbers
  std::vector<NoiseScores> flipped;  ///< one per HoldoutOptions::flip
};

/// Several hold-outs of the same columns as one: every cell counts once.
[[nodiscard]] Holdout pooled(const std::vector<Holdout>& holdouts);

/// A data set with some cells hidden, and the hidden cells as a data set of the same shape.
struct HiddenCells {
  Dataset rest, hidden;
};
/// Hides each observed cell of levels and real blocks with the same probability, replicates of a
/// cell together. Same seed, same cells.
[[nodiscard]] HiddenCells hide_cells(const Dataset& data, double share, std::uint64_t seed);

/// Hides cells, predicts them from the rest of their rows, and scores the predictions. The model
/// should not have been fitted to these rows; `holdout_fit` takes care of that.
[[nodiscard]] Holdout holdout_cells(const Model& model, const Dataset& data,
                                    const HoldoutOptions& options, const Hooks& hooks = {});
/// Hides cells, fits to what is left, and predicts what was hidden. Interrupted at any time, the
/// fit included, it throws Interrupted.
[[nodiscard]] Holdout holdout_fit(const Dataset& data, const FitOptions& fit,
                                  const HoldoutOptions& options, const Hooks& hooks = {});

}  // namespace medley
