// SPDX-License-Identifier: Apache-2.0
// Using a fitted model on rows: memberships and scores. Each row is treated alone, from the
// documented start, in double precision: the result does not depend on threads, nor, its last
// digits aside, on the other rows.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "medley/classify.hpp"
#include "medley/dataset.hpp"
#include "medley/model.hpp"
#include "medley/options.hpp"
#include "medley/read.hpp"

namespace medley {

/// How the log-likelihood of a row was obtained.
enum class Estimator {
  bound,          ///< the variational lower bound: never above the log-likelihood
  exact,          ///< the log-likelihood itself
  importance,     ///< estimated by drawing memberships
  left_to_right,  ///< estimated by drawing components, observation by observation
  completion      ///< not the whole row: a part of it given the rest
};
[[nodiscard]] std::string to_string(Estimator estimator);

/// What is known of one row under the model.
struct RowScore {
  double observations = 0;     ///< observed cells or tokens
  double log_likelihood = 0;   ///< natural log, by the estimator named
  double sampling_error = 0;   ///< standard error of log_likelihood if it was estimated by drawing
  double effective_draws = 0;  ///< how many equally good draws the estimate is worth; 0: none drawn
  double baseline = 0;         ///< the same cells under the training marginals of each column
  double entropy = 0;          ///< of the membership, in nats
  std::size_t top = 0;         ///< largest component, from 0
  double top_share = 0;
};

/// Memberships, rows x K, row-major.
struct Memberships {
  std::size_t components = 0;
  std::vector<double> share;
  std::string note =
      {};  ///< where the model's own inference was too costly for these rows: says so
  [[nodiscard]] std::size_t rows() const { return components == 0 ? 0 : share.size() / components; }
  [[nodiscard]] const double* row(std::size_t i) const { return share.data() + i * components; }
};

/// How clusters (top components) come to stand for classes.
enum class Match {
  majority,  ///< each for its most frequent class, the first of equally frequent ones
  identity,  ///< component k for class k in the order of the class names; needs K >= classes
  hungarian  ///< one to one, so that the most rows are right
};
[[nodiscard]] std::string to_string(Match match);

/// The rows on which that is learnt: those that are scored, or one side of the fold.
enum class MatchOn { scored, train, test };
[[nodiscard]] std::string to_string(MatchOn rows);

/// Agreement of hard clusters (top component) with a known grouping. Rows count once each.
struct TruthScores {
  std::string column;
  std::size_t rows = 0;           ///< rows whose class is known
  double micro_precision = 0;     ///< share of rows in the majority class of their cluster
  double mutual_information = 0;  ///< nats
  double nmi = 0;                 ///< mutual information over the mean of the two entropies
  /// Share of rows whose cluster stands for their class. A cluster that stands for none is wrong.
  double accuracy = 0;
  Match match = Match::majority;
  MatchOn matched_on = MatchOn::scored;
};

/// The cells of one block on their own, the other blocks hidden; under completion, the predicted
/// cells of the block given the observed part of all blocks.
struct BlockScore {
  std::string block;
  double observations = 0;
  double log_likelihood = 0;
  double baseline = 0;
  double above_baseline = 0;  ///< nats per observation
  double above_error = 0;     ///< its standard error, from the spread over rows
};

/// Scores of a whole file.
struct Evaluation {
  Estimator estimator = Estimator::bound;
  std::string reason;  ///< why this estimator, if it was chosen by "auto"
  /// Block weights other than 1: the score is that of the weighted likelihood, and compares only
  /// with scores under the same weights.
  bool tempered = false;
  std::size_t rows = 0, empty_rows = 0;
  double observations = 0;        ///< cells or words, weighted
  Weighting weights = {};         ///< of the rows
  double log_likelihood = 0;      ///< sum over rows (weighted by row weights)
  double standard_error = 0;      ///< of log_likelihood, from the spread over rows
  double sampling_error = 0;      ///< the part of it that comes from drawing
  double baseline = 0;            ///< sum under the column marginals of the training data
  double above_baseline = 0;      ///< the headline: nats per observation above the baseline
  double above_error = 0;         ///< its standard error, from the spread over rows
  double perplexity = 0;          ///< exp(-log_likelihood / observations)
  double log_row_perplexity = 0;  ///< -log_likelihood / rows: the log, because the number overflows
  double mean_entropy = 0;        ///< of memberships, nats
  /// Rows whose estimate rests on fewer than kFewDraws effective draws: its error is not to be
  /// trusted there.
  std::size_t poorly_drawn = 0;
  std::vector<BlockScore> block;  ///< if there are several
  std::vector<RowScore> row;
  std::vector<TruthScores> truth;
  /// How well the classes of a model with a label are predicted, if the data has any; else, for
  /// such a model, why not.
  std::optional<LabelScores> label;
  std::string label_note;
};

/// See Evaluation::poorly_drawn.
inline constexpr double kFewDraws = 10;

struct EvaluateOptions {
  /// "bound", "exact", "importance", "left-to-right", "completion", or "auto": exact where that
  /// takes less than about half a minute, else left-to-right if that takes less than some minutes,
  /// else importance. Under block weights: bound.
  std::string estimator = "auto";
  std::size_t samples = 0;  ///< draws per row; 0: 1000 memberships, or 200 particles left to right
  bool each_block = true;   ///< score every block on its own too, if there are several
  bool threefold = false;   ///< completion of each third of a row, else of one half
  std::uint64_t seed = 1;   ///< of the draws and of the parts
  std::vector<std::string> truth;  ///< kept columns to compare the clusters with
  Match match = Match::majority;   ///< for their accuracy; learnt on the rows that are scored
  std::size_t threads = 0;
};

/// The membership of every row. A row with nothing observed gets the prior's.
[[nodiscard]] Memberships transform(const Model& model, const Dataset& data,
                                    std::size_t threads = 0, const Hooks& hooks = {});

/// Scores every row. Throws InputError if the estimator is not offered for this model.
[[nodiscard]] Evaluation evaluate(const Model& model, const Dataset& data,
                                  const EvaluateOptions& options, const Hooks& hooks = {});

/// Perplexity of five equal parts of the rows, from the lowest membership entropy to the highest
/// (figure 10 of the mixed-membership naive Bayes paper). Part p of n rows that have something
/// observed is those from p n / 5 to (p + 1) n / 5, rounded down; rows of equal entropy stand in
/// their order. NaN for a part without rows.
using Quintiles = std::array<double, 5>;
[[nodiscard]] Quintiles entropy_quintiles(const Evaluation& scores, const Dataset& data);

/// The training rows or the test rows of one fold. Perplexities, entropy and what is above the
/// baseline are NaN where nothing is observed.
struct FoldSide {
  Estimator estimator = Estimator::bound;
  std::size_t rows = 0;
  std::size_t unseen = 0;  ///< cells taken as missing: levels, words or items new to the model
  double observations = 0;
  double perplexity = 0;
  double log_row_perplexity = 0;
  double log_likelihood = 0;  ///< sum over the rows
  double above_baseline = 0;  ///< nats per cell above the marginals of the training rows
  double mean_entropy = 0;    ///< of memberships, nats
  Quintiles entropy_quintile = {};
  std::vector<TruthScores> truth;
  /// Of a label that was learnt. Rows of a class that no training row holds are wrong.
  std::optional<LabelScores> label = {};
};

struct Fold {
  FoldSide train, test;
  bool converged = true;  ///< false: the fit reached the iteration limit
};

/// What the model that has not seen a row says of it (CrossValidateOptions::each_row).
struct HeldOutRow {
  std::size_t fold = 0;  ///< from 0
  RowScore score = {};
  /// Per class of the label, in the order of the data's schema; 0 for a class that the training
  /// rows lack. Empty without a label.
  std::vector<double> probability = {};
};

/// A score over the folds: its mean and its standard deviation (n - 1). NaN where no fold has it.
struct OverFolds {
  double mean = 0, sd = 0;
};

/// The scores of the training rows, or of the test rows, over the folds.
struct FoldScores {
  OverFolds unseen, perplexity, log_row_perplexity, log_likelihood, above_baseline, mean_entropy;
  std::array<OverFolds, 5> entropy_quintile;
  struct Truth {
    std::string column;
    OverFolds micro_precision, mutual_information, nmi, accuracy;
  };
  std::vector<Truth> truth;
  struct Label {
    std::string column, method;  ///< of the label, and of its probabilities
    OverFolds accuracy, log_loss, brier, macro_f1;
    std::vector<CalibrationBin> calibration = {};  ///< of the rows of all folds together
    double calibration_error = 0;                  ///< of these bins, as in LabelScores
  };
  std::optional<Label> label = {};
};

/// Fits a model to the training rows of a fold.
using Fitter = std::function<Model(const Dataset&, const FitOptions&, const Hooks&)>;

struct CrossValidateOptions {
  std::size_t folds = 10;
  EvaluateOptions scoring;
  MatchOn match_on = MatchOn::train;  ///< one matching per fold, for both sides; `scored`: one each
  /// Chooses the words of text and tags among those of the training rows. The data should have been
  /// read with words.unselected().
  VocabularyOptions words;
  /// Instead of `fit`: one that chooses options, for example. It sees the training rows alone.
  Fitter fitter = {};
  /// Set the label aside, and tell it from the memberships by logistic regression: what a label is
  /// worth that takes part in the fit. The method of the scores is then "two-step".
  bool two_step = false;
  /// With a label: every fold holds as many rows of each class as the others, to within one.
  bool stratified = true;
  bool each_row = false;  ///< keep what is said of every test row
};

struct CrossValidation {
  std::vector<Fold> folds;  ///< those that ended, in order
  FoldScores train, test;
  Weighting weights = {};            ///< of all rows
  std::size_t rows = 0;              ///< of the data
  bool stratified = false;           ///< by the label
  std::vector<HeldOutRow> row = {};  ///< of every row of the data, if asked for
  std::size_t not_converged = 0;     ///< folds whose fit reached the iteration limit
  bool interrupted = false;          ///< stopped by the hooks: some folds are not there
};

/// The fold of every row, 0 .. folds-1: sizes differ by one at most. A function of the number of
/// rows and the seed alone, so that every model and K is judged on the same folds.
[[nodiscard]] std::vector<std::size_t> fold_of_rows(std::size_t rows, std::size_t folds,
                                                    std::uint64_t seed);
/// The same, class by class: the folds have the same share of every class, to within a row. Rows
/// without a class, or of one that is not known, are dealt like a class of their own.
[[nodiscard]] std::vector<std::size_t> fold_of_rows(const KeptColumn& label, std::size_t folds,
                                                    std::uint64_t seed);

/// Fits on all folds but one and scores both sides, for every fold: what `fit` on a file of the
/// training rows and `evaluate` on one of the test rows would give. Levels, words, items, columns
/// that vary, everything that is learnt comes from the training rows; cells of the test rows that
/// the training rows know nothing of are missing, and counted. What a column is (family, role) was
/// decided when the data was read. Sampling weights have mean 1 on each side. The folds are drawn
/// by the seed of the fit; several are fitted at a time if threads and memory allow, which changes
/// nothing. Checkpoints are not written.
[[nodiscard]] CrossValidation cross_validate(const Dataset& data, const FitOptions& fitting,
                                             const CrossValidateOptions& options,
                                             const Hooks& hooks = {});

}  // namespace medley
