// SPDX-License-Identifier: Apache-2.0
// What a fitted model says about rows: memberships, classes, cells, recommendations, similar rows.
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

// What a model says about cells that were not seen. Given the rest of its row a cell is distributed
// as a mixture of the K components, with the row's expected membership as weights; so a missing
// cell has a mean or a most likely level, probabilities, quantiles and draws, not just a guess.

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

// The class of a row, by a model that was fitted with a label: probabilities, what spoke for the
// likeliest class, and how good such predictions are on rows whose class is known. The label of a
// row, if it has one, is never used for its own prediction.

/// p(class | row), rows x C, row-major. With zbar the shares of a row's m observations that come
/// from each component, l_ok the likelihood of observation o under component k and P(h | k) the
/// share of class h in component k, `method` says how they were found:
///
///   "exact"            the model's own p(h | x), without approximation: sum_k r_k P(h | k) (single
///                      membership), or the mean of p(h | zbar = n / m) over all counts n (mixed)
///   "sole membership"  sum_k r_k P(h | k), r_k ~ Gamma(alpha_k + m) / Gamma(alpha_k) prod_o l_ok:
///                      all observations from one component; after fast inference and after the
///                      conditional objective
///   "plug-in"          p(h | zbar = phibar) of the variational phibar: rows that are too long for
///                      the exact sum
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
  /// The likeliest class; the first of equally likely ones.
  [[nodiscard]] std::size_t top(std::size_t i) const;
};

/// Whether the model learnt a label.
[[nodiscard]] bool predicts_classes(const Model& model);

/// Throws InputError if the model learnt no label, or if the data was not read with its schema.
[[nodiscard]] ClassProbabilities predict_classes(const Model& model, const Dataset& data,
                                                 std::size_t threads = 0, const Hooks& hooks = {});

/// A profile that spoke for the likeliest class of a row, or against it.
struct ProfileDriver {
  std::size_t component = 0;
  double share = 0;   ///< of the row: r_k, or the expected zbar_k
  double within = 0;  ///< P(h | k): share of the class in the profile
  /// share x (within - overall): by how much the profile moves the probability of the class away
  /// from what it is overall. Where rows are of one component these add up to the whole difference.
  double effect = 0;
};

/// A cell (or a word with its count) that spoke for the likeliest class of a row, or against it.
struct CellDriver {
  std::size_t block = 0, feature = 0;
  std::size_t slot = 0;  ///< of the block: the level or word
  double value = 0;      ///< numbers, in the units of Block::value
  double weight = 1;     ///< how often it was observed
  double effect = 0;     ///< log-odds of the class with the cell minus without it, nats
  double alone = 0;      ///< log-odds with this cell alone minus with none, nats
};

/// What spoke for a row's likeliest class or against it, strongest first: profiles by their effect,
/// cells by effect + alone. In a long row other cells make up for any that is left out, so that all
/// effects are near 0; what a cell says alone still tells them apart.
struct ClassDrivers {
  std::size_t predicted = 0;
  double probability = 0;  ///< of that class
  double overall = 0;      ///< of that class in a row of which nothing is known
  std::vector<ProfileDriver> profiles;
  std::vector<CellDriver> cells;
};

/// The drivers of every row, at most `most` profiles and `most` cells each. Cells are left out one
/// by one; for mixed membership under the sole-membership form whatever the method of the
/// prediction, because a fresh inference for every cell would be too costly: the order of cells and
/// their signs are to be trusted, the last digits are not.
[[nodiscard]] std::vector<ClassDrivers> explain_classes(const Model& model, const Dataset& data,
                                                        std::size_t most, std::size_t threads = 0,
                                                        const Hooks& hooks = {});

/// Rows whose likeliest class has a probability from `low` to `high`.
struct CalibrationBin {
  double low = 0, high = 0;
  std::size_t rows = 0;
  double confidence = 0;  ///< mean probability of the likeliest class; 0 without rows
  double accuracy = 0;    ///< share of rows where it was right; 0 without rows
};

inline constexpr std::size_t kCalibrationBins = 10;

/// How good predicted classes are. Rows count by their weight, except where rows are counted.
/// Rows without a label, and rows of weight 0, are left out.
struct LabelScores {
  std::string column;
  std::vector<std::string> classes;
  std::string method;       ///< of the probabilities
  std::size_t rows = 0;     ///< with a label, those of unknown classes included
  std::size_t unknown = 0;  ///< of classes that the model does not know: always wrong
  std::size_t unlabelled = 0;
  double accuracy = 0, accuracy_error = 0;  ///< share of right rows; with its standard error
  /// -mean log p(true class | row), nats; rows of unknown classes are left out: theirs is infinite.
  double log_loss = 0, log_loss_error = 0;
  /// Mean over rows of sum_h (p_h - [h is true])^2: 0 to 2. An unknown class is one more with p 0.
  double brier = 0;
  /// Mean F1 of the classes that are true or predicted in some row; unknown ones are one class.
  double macro_f1 = 0;
  /// Always the most frequent class of the rows scored, and their class shares as probabilities:
  /// the model does not keep the shares of its training rows. Unknown classes as above.
  double baseline_accuracy = 0, baseline_log_loss = 0;
  std::string baseline_class;
  /// (C + 1) x C: weighted rows by true class (the last row: unknown classes) and predicted class.
  std::vector<double> confusion;
  std::vector<CalibrationBin> calibration;  ///< kCalibrationBins of equal width from 0 to 1
  double calibration_error = 0;  ///< mean over rows of |accuracy - confidence| of their bin
};

/// Holds predictions against the label. `row_weight` may be empty: every row counts once.
[[nodiscard]] LabelScores score_classes(const ClassProbabilities& predicted,
                                        const KeptColumn& label,
                                        std::span<const double> row_weight = {});

// Rows that are alike. Every row is a point on a unit sphere and the similarity of two rows is the
// product of their points:
//
//   memberships t, s   points sqrt(t), sqrt(s)    sum_k sqrt(t_k s_k)   (Bhattacharyya coefficient)
//
// It is 1 for equal memberships, 0 for rows without a profile in common, and needs no logarithm: a
// share of zero is no trouble, as it would be for a divergence. Where the model places rows itself
// (correlated membership) it is the cosine of their locations; under a sampled single membership
// (dp-mixture) the probability that both rows are in one cluster, the mean over all draws of
// sum_k t_k s_k ("co-clustering"). For rows that were fitted that is the posterior probability; of
// other rows it is what the fitted ones say, as if the two told nothing about the clusters.

/// A profile that two rows share, and its part of their similarity.
struct SharedProfile {
  std::size_t component = 0;  ///< from 0
  double part = 0;
};

struct SimilarRow {
  std::size_t row = 0;
  double similarity = 0;
  std::vector<SharedProfile> shared;  ///< the largest parts first, three at most
};

/// The neighbours of one row.
struct SimilarRows {
  bool empty = false;               ///< nothing is observed in the row: it has no neighbours
  std::vector<SimilarRow> nearest;  ///< the most similar first, then in the order of the data
};

struct Similarity {
  std::string metric;               ///< in words
  std::size_t empty_rows = 0;       ///< of the data, left out because nothing is observed in them
  std::vector<SimilarRows> of_row;  ///< one for each row asked for, in that order
};

struct SimilarOptions {
  std::size_t count = 10;  ///< of neighbours
  std::size_t threads = 0;
};

/// The nearest rows of the data to each of `rows`, themselves left out.
[[nodiscard]] Similarity similar(const Model& model, const Dataset& data,
                                 std::span<const std::size_t> rows, const SimilarOptions& options,
                                 const Hooks& hooks = {});

}  // namespace medley
