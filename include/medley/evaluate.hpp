// SPDX-License-Identifier: Apache-2.0
// Using a fitted model on rows: memberships and scores. Each row is treated alone, from the
// documented start, in double precision: the result does not depend on the other rows or on
// threads.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "medley/dataset.hpp"
#include "medley/model.hpp"
#include "medley/options.hpp"

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
  double observations = 0;    ///< observed cells or tokens
  double log_likelihood = 0;  ///< natural log, by the estimator named
  double sampling_error = 0;  ///< standard error of log_likelihood if it was estimated by drawing
  double baseline = 0;        ///< the same cells under the training marginals of each column
  double entropy = 0;         ///< of the membership, in nats
  std::size_t top = 0;        ///< largest component, from 0
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

/// Agreement of hard clusters (top component) with a known grouping.
struct TruthScores {
  std::string column;
  std::size_t rows = 0;           ///< rows whose class is known
  double micro_precision = 0;     ///< share of rows in the majority class of their cluster
  double mutual_information = 0;  ///< nats
  double nmi = 0;                 ///< mutual information over the mean of the two entropies
};

/// Scores of a whole file.
struct Evaluation {
  Estimator estimator = Estimator::bound;
  /// Block weights other than 1: the score is that of the weighted likelihood, and compares only
  /// with scores under the same weights.
  bool tempered = false;
  std::size_t rows = 0, empty_rows = 0;
  double observations = 0;
  double log_likelihood = 0;      ///< sum over rows (weighted by row weights)
  double standard_error = 0;      ///< of log_likelihood, from the spread over rows
  double sampling_error = 0;      ///< the part of it that comes from drawing
  double baseline = 0;            ///< sum under the column marginals of the training data
  double perplexity = 0;          ///< exp(-log_likelihood / observations)
  double log_row_perplexity = 0;  ///< -log_likelihood / rows: the log, because the number overflows
  double mean_entropy = 0;        ///< of memberships, nats
  std::vector<RowScore> row;
  std::vector<TruthScores> truth;
};

struct EvaluateOptions {
  /// "bound", "exact", "importance", "left-to-right", "completion", or "auto": exact for single
  /// membership, else bound. Nothing is exact under block weights.
  std::string estimator = "auto";
  std::size_t samples = 1000;      ///< draws per row: memberships, or particles from left to right
  bool threefold = false;          ///< completion of each third of a row, else of one half
  std::uint64_t seed = 1;          ///< of the draws and of the parts
  std::vector<std::string> truth;  ///< kept columns to compare the clusters with
  std::size_t threads = 0;
};

/// The membership of every row. A row with nothing observed gets the prior's.
[[nodiscard]] Memberships transform(const Model& model, const Dataset& data,
                                    std::size_t threads = 0);

/// Scores every row. Throws InputError if the estimator is not offered for this model.
[[nodiscard]] Evaluation evaluate(const Model& model, const Dataset& data,
                                  const EvaluateOptions& options);

/// A score over the folds: its mean and its standard deviation (n - 1).
struct OverFolds {
  double mean = 0, sd = 0;
};

/// The scores of the training rows, or of the test rows, over the folds.
struct FoldScores {
  OverFolds perplexity;
  OverFolds log_likelihood;  ///< sum over the rows of a fold
  OverFolds above_baseline;  ///< nats per cell above the training marginals
  struct Truth {
    std::string column;
    OverFolds micro_precision, mutual_information, nmi;
  };
  std::vector<Truth> truth;
};

struct CrossValidation {
  std::size_t folds = 0;
  Estimator estimator = Estimator::bound;
  FoldScores train, test;
  std::size_t not_converged = 0;  ///< folds whose fit reached the iteration limit
  bool interrupted = false;       ///< stopped by the hooks: the scores are of the folds before
};

/// The fold of every row, 0 .. folds-1: sizes differ by one at most. A function of the number of
/// rows and the seed alone, so that every model and K is judged on the same folds.
[[nodiscard]] std::vector<std::size_t> fold_of_rows(std::size_t rows, std::size_t folds,
                                                    std::uint64_t seed);

/// Fits on all folds but one and scores both sides, for every fold. The fit sees nothing of the
/// test rows: a level that only they hold keeps the mass that smoothing gives it. The folds are
/// drawn by the seed of the fit.
[[nodiscard]] CrossValidation cross_validate(const Dataset& data, const FitOptions& fitting,
                                             std::size_t folds, const EvaluateOptions& scoring,
                                             const FitHooks& hooks = {});

}  // namespace medley
