// SPDX-License-Identifier: Apache-2.0
// What a fitted model predicts for rows: classes, cells, recommendations, similar rows.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "medley/data.hpp"
#include "medley/error.hpp"
#include "medley/fit.hpp"
#include "medley/model.hpp"

namespace medley {

// Prediction of cells that were not observed. Given the rest of its row, a cell is distributed as a
// mixture of the K components, with the row's expected membership as weights. So a missing cell has
// a full distribution: a mean or a most likely level, probabilities, quantiles and draws.

/// The place of a cell: a row, a block of the data set and a feature of the block. Blocks of words
/// have no cells to predict.
struct CellPlace {
  std::size_t row = 0, block = 0, feature = 0;
};

/// The distribution of one cell given the other observed cells of its row.
struct CellPrediction {
  CellPlace place;
  std::vector<double> probability;  ///< levels: one per level of the feature; sums to 1
  double mean = 0, sd = 0;          ///< numbers
  bool whole = false;               ///< numbers: the family takes only whole numbers (counts)
  std::vector<double> quantile;     ///< numbers: at PredictOptions::quantiles; whole for counts
  std::vector<double> draw;         ///< PredictOptions::draws draws: a level index or a number
  /// Index of the most likely level (levels only).
  [[nodiscard]] std::size_t mode() const;
};

/// Which quantiles and how many draws to compute.
struct PredictOptions {
  std::vector<double> quantiles = {0.05, 0.5, 0.95};  ///< each between 0 and 1
  /// Draws per cell. Draw m of all cells of a row shares one membership drawn from the row's
  /// posterior, so that completed tables keep correlations: theta from the posterior, then a
  /// component from theta for each cell (mixed membership), or one component from r for the whole
  /// row (single); then the cell from its component. A draw depends only on seed, place and m.
  std::size_t draws = 0;
  std::uint64_t seed = 1;
  std::size_t threads = 0;
};

/// The places of all missing cells of levels and real blocks, row by row. Throws InputError if
/// there are more than `most`: a rating log lacks almost all of its pairs.
[[nodiscard]] std::vector<CellPlace> missing_cells(const Dataset& data, std::size_t most);

/// The distribution of each cell, in the given order. An observed cell (with its replicates) is
/// ignored in its own prediction. Numbers are in the units of Block::value.
[[nodiscard]] std::vector<CellPrediction> predict_cells(const Model& model, const Dataset& data,
                                                        const std::vector<CellPlace>& cells,
                                                        const PredictOptions& options,
                                                        const Hooks& hooks = {});

/// An item that the row has not rated.
struct Recommendation {
  CellPrediction cell;
  double score = 0;        ///< the items are ranked by it
  double in_training = 0;  ///< (weighted) cells of the item in the training data
};

/// What to recommend, and how to rank it.
struct RecommendOptions {
  std::size_t block = 0;  ///< the block of items: a rating log
  std::size_t top = 10;   ///< number of items per row
  /// Rank by the probability of this level. Empty: by the mean, if all levels are numbers; else by
  /// the probability of the last level.
  std::string level;
  double least_in_training = 5;  ///< leave out items with fewer training cells: too little is known
  std::size_t threads = 0;
};

/// The meaning of Recommendation::score: "mean value" or "probability of "yes"". Throws InputError
/// if the level does not exist.
[[nodiscard]] std::string score_meaning(const Block& block, const RecommendOptions& options);

/// The best items of each row, best first; equal scores in the order of the items.
[[nodiscard]] std::vector<std::vector<Recommendation>> recommend(
    const Model& model, const Dataset& data, const std::vector<std::size_t>& rows,
    const RecommendOptions& options, const Hooks& hooks = {});

/// How well hidden cells are predicted; the baseline predicts each cell from its column alone.
/// Every cell counts once; row weights are ignored.
struct CellScores {
  std::string what;       ///< block name, or "all"
  std::size_t cells = 0;  ///< hidden cells scored
  double log_loss = 0;    ///< mean -log probability (density) of the true cell, nats
  double baseline_log_loss = 0;
  /// Standard error of baseline_log_loss - log_loss, from the spread of rows.
  double gain_error = 0;
  double accuracy = 0, baseline_accuracy = 0;  ///< share of cells with the most likely level
  double rmse = 0, baseline_rmse = 0;          ///< numbers, in their own units
  double scaled_rmse = 0;  ///< numbers: errors over the standard deviation of their column
  /// Numbers: share inside the central 50 % and 90 % intervals. For counts the shares are larger,
  /// because their intervals end at whole numbers.
  double coverage50 = 0, coverage90 = 0;
  std::size_t level_cells = 0, number_cells = 0;  ///< of `cells`
};

/// Which cells to hide.
struct HoldoutOptions {
  double share = 0.1;        ///< of the observed cells of levels and real blocks, hidden at random
  std::vector<double> flip;  ///< noise: for each share, also score with that share of the hidden
                             ///< yes/no cells flipped
  std::uint64_t seed = 1;
  std::size_t threads = 0;
};

/// Scores of the hidden yes/no cells after flipping some. For a good model the true cells are the
/// likeliest.
struct NoiseScores {
  /// Share of the hidden yes/no cells that were flipped; a larger share includes these cells.
  double share = 0;
  std::size_t cells = 0, flipped = 0;  ///< hidden yes/no cells, and how many were flipped
  double log_loss = 0;  ///< of these cells given the rest of their rows; its exp is the perplexity
  /// Perplexity of all rows with the hidden cells put back: exp(-bound / observations).
  double perplexity = 0;
};

/// Scores of one hold-out.
struct Holdout {
  std::vector<CellScores> scores;    ///< "all" first, then one per block of levels or numbers
  std::vector<NoiseScores> flipped;  ///< one per HoldoutOptions::flip
};

/// Several hold-outs of the same columns combined into one: every cell counts once.
[[nodiscard]] Holdout pooled(const std::vector<Holdout>& holdouts);

/// A data set with some cells hidden, and the hidden cells as a data set of the same shape.
struct HiddenCells {
  Dataset rest, hidden;
};
/// Hides each observed cell of levels and real blocks with the same probability, replicates of a
/// cell together. Same seed, same cells.
[[nodiscard]] HiddenCells hide_cells(const Dataset& data, double share, std::uint64_t seed);

/// Hides cells, predicts them from the rest of their rows, and scores the predictions. Use rows
/// that the model was not fitted to; `holdout_fit` fits a model without the hidden cells.
[[nodiscard]] Holdout holdout_cells(const Model& model, const Dataset& data,
                                    const HoldoutOptions& options, const Hooks& hooks = {});
/// Hides cells, fits to the rest, predicts the hidden cells and scores the predictions. Throws
/// Interrupted if it is interrupted at any time, even during the fit.
[[nodiscard]] Holdout holdout_fit(const Dataset& data, const FitOptions& fit,
                                  const HoldoutOptions& options, const Hooks& hooks = {});

// The class of a row, by a model fitted with a label: probabilities, their explanation, and scores
// on rows whose class is known. A row's own label is never used for its prediction.

/// p(class | row), rows x C, row-major. Let zbar be the shares of a row's m observations that come
/// from each component, l_ok the likelihood of observation o under component k and P(h | k) the
/// share of class h in component k. `method` says how the probabilities were computed:
///
///   "exact"            the model's own p(h | x), without approximation: sum_k r_k P(h | k) (single
///                      membership), or the mean of p(h | zbar = n / m) over all counts n (mixed)
///   "sole membership"  sum_k r_k P(h | k), r_k ~ Gamma(alpha_k + m) / Gamma(alpha_k) prod_o l_ok:
///                      all observations from one component; after fast inference and after the
///                      conditional objective
///   "plug-in"          p(h | zbar = phibar) with the variational phibar; for rows that are too
///                      long for the exact sum
///
/// A row with nothing observed has the prior's mean as zbar.
struct ClassProbabilities {
  std::string column;                ///< the label
  std::vector<std::string> classes;  ///< in the order of the model
  std::vector<double> probability;   ///< rows x C; every row sums to 1
  std::string method;

  [[nodiscard]] std::size_t rows() const {
    return classes.empty() ? 0 : probability.size() / classes.size();
  }
  [[nodiscard]] std::span<const double> row(std::size_t i) const {
    return std::span(probability).subspan(i * classes.size(), classes.size());
  }
  /// The likeliest class of row i; the first of equally likely classes.
  [[nodiscard]] std::size_t top(std::size_t i) const;
};

/// Whether the model learnt a label.
[[nodiscard]] bool predicts_classes(const Model& model);

/// Throws InputError if the model learnt no label, or if the data were not read with its schema.
[[nodiscard]] ClassProbabilities predict_classes(const Model& model, const Dataset& data,
                                                 std::size_t threads = 0, const Hooks& hooks = {});

/// The effect of a profile on the probability of a row's likeliest class.
struct ProfileDriver {
  std::size_t component = 0;
  double share = 0;   ///< of the row: r_k, or the expected zbar_k
  double within = 0;  ///< P(h | k): share of the class in the profile
  /// share x (within - overall): how far the profile moves the probability of the class from its
  /// overall value. If every row comes from one component, these add up to the whole difference.
  double effect = 0;
};

/// The effect of a cell (or of a word with its count) on a row's likeliest class.
struct CellDriver {
  std::size_t block = 0, feature = 0;
  std::size_t slot = 0;  ///< of the block: the level or word
  double value = 0;      ///< numbers, in the units of Block::value
  double weight = 1;     ///< how often it was observed
  double effect = 0;     ///< log-odds of the class with the cell minus without it, nats
  double alone = 0;      ///< log-odds with this cell alone minus with none, nats
};

/// Why a row has its likeliest class, strongest drivers first: profiles by their effect, cells by
/// effect + alone. In a long row the other cells make up for any cell that is left out, so that all
/// effects are near 0; `alone` still distinguishes the cells.
struct ClassDrivers {
  std::size_t predicted = 0;
  double probability = 0;  ///< of that class
  double overall = 0;      ///< of that class in a row with nothing observed
  std::vector<ProfileDriver> profiles;
  std::vector<CellDriver> cells;
};

/// The drivers of every row, at most `most` profiles and `most` cells each. Cells are left out one
/// by one. For mixed membership this uses the sole-membership form, whatever the method of the
/// prediction, because a new inference for every cell would be too slow: trust the order of the
/// cells and their signs, not the last digits.
[[nodiscard]] std::vector<ClassDrivers> explain_classes(const Model& model, const Dataset& data,
                                                        std::size_t most, std::size_t threads = 0,
                                                        const Hooks& hooks = {});

/// Rows whose likeliest class has a probability from `low` to `high`.
struct CalibrationBin {
  double low = 0, high = 0;
  std::size_t rows = 0;
  double confidence = 0;  ///< mean probability of the likeliest class; 0 without rows
  double accuracy = 0;    ///< share of rows whose likeliest class is right; 0 without rows
};

/// Number of calibration bins.
inline constexpr std::size_t kCalibrationBins = 10;

/// How good predicted classes are. Row weights count, except in the numbers of rows. Rows without a
/// label, and rows of weight 0, are left out.
struct LabelScores {
  std::string column;
  std::vector<std::string> classes;
  std::string method;          ///< of the probabilities
  std::size_t rows = 0;        ///< with a label, including rows of unknown classes
  std::size_t unknown = 0;     ///< rows of classes that the model does not know: always wrong
  std::size_t unlabelled = 0;  ///< rows without a label
  double accuracy = 0, accuracy_error = 0;  ///< share of right rows, and its standard error
  /// -mean log p(true class | row), nats, and its standard error. Rows of unknown classes are left
  /// out, because theirs is infinite.
  double log_loss = 0, log_loss_error = 0;
  /// Mean over rows of sum_h (p_h - [h is true])^2: 0 to 2. An unknown class counts as one more
  /// class with p = 0.
  double brier = 0;
  /// Mean F1 of the classes that occur as truth or prediction; unknown classes count as one.
  double macro_f1 = 0;
  /// Scores of always guessing the most frequent class, and of predicting the class shares, of the
  /// scored rows: the model does not keep the shares of its training rows. Unknown classes count as
  /// above.
  double baseline_accuracy = 0, baseline_log_loss = 0;
  std::string baseline_class;
  /// (C + 1) x C: weighted rows by true class (the last row: unknown classes) and predicted class.
  std::vector<double> confusion;
  std::vector<CalibrationBin> calibration;  ///< kCalibrationBins of equal width from 0 to 1
  double calibration_error = 0;  ///< mean over rows of |accuracy - confidence| of their bin
};

/// Compares predictions with the label. `row_weight` may be empty: every row counts once.
[[nodiscard]] LabelScores score_classes(const ClassProbabilities& predicted,
                                        const KeptColumn& label,
                                        std::span<const double> row_weight = {});

// Similar rows. Every row is a point on the unit sphere, and the similarity of two rows is the
// scalar product of their points:
//
//   memberships t, s   points sqrt(t), sqrt(s)    sum_k sqrt(t_k s_k)   (Bhattacharyya coefficient)
//
// The similarity is 1 for equal memberships and 0 for rows without a common profile. Unlike a
// divergence it needs no logarithm, so a share of zero is no problem. With correlated membership it
// is the cosine of the rows' locations. Under a sampled single membership (dp-mixture) it is the
// probability that both rows are in one cluster: the mean over all draws of sum_k t_k s_k
// ("co-clustering"). For fitted rows that is the posterior probability; for other rows it uses only
// what the fitted rows show, as if the two gave no information about the clusters.

/// A profile that two rows share, and its part of their similarity; the parts sum to it.
struct SharedProfile {
  std::size_t component = 0;  ///< from 0
  double part = 0;
};

/// A neighbour.
struct SimilarRow {
  std::size_t row = 0;
  double similarity = 0;
  std::vector<SharedProfile> shared;  ///< the largest parts first, at most three
};

/// The neighbours of one row.
struct SimilarRows {
  bool empty = false;               ///< nothing is observed in the row, so it has no neighbours
  std::vector<SimilarRow> nearest;  ///< the most similar first; equal ones in the order of the data
};

/// The neighbours of several rows.
struct Similarity {
  std::string metric;               ///< its name
  std::size_t empty_rows = 0;       ///< rows of the data left out, because nothing is observed
  std::vector<SimilarRows> of_row;  ///< one for each requested row, in that order
};

/// How many neighbours to find.
struct SimilarOptions {
  std::size_t count = 10;  ///< number of neighbours
  std::size_t threads = 0;
};

/// For each of `rows`, the nearest other rows of the data.
[[nodiscard]] Similarity similar(const Model& model, const Dataset& data,
                                 std::span<const std::size_t> rows, const SimilarOptions& options,
                                 const Hooks& hooks = {});

}  // namespace medley
