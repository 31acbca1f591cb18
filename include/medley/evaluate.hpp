// SPDX-License-Identifier: Apache-2.0
// Using a fitted model on rows: memberships and scores. Each row is treated alone, from the
// documented start, in double precision: the result does not depend on the other rows or on
// threads.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "medley/dataset.hpp"
#include "medley/model.hpp"

namespace medley {

/// How the log-likelihood of a row was obtained.
enum class Estimator {
  bound,  ///< the variational lower bound: never above the log-likelihood
  exact   ///< the log-likelihood itself (single membership)
};
[[nodiscard]] std::string to_string(Estimator estimator);

/// What is known of one row under the model.
struct RowScore {
  double observations = 0;    ///< observed cells or tokens
  double log_likelihood = 0;  ///< natural log, by the estimator named
  double baseline = 0;        ///< the same cells under the training marginals of each column
  double entropy = 0;         ///< of the membership, in nats
  std::size_t top = 0;        ///< largest component, from 0
  double top_share = 0;
};

/// Memberships, rows x K, row-major.
struct Memberships {
  std::size_t components = 0;
  std::vector<double> share;
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
  double baseline = 0;            ///< sum under the column marginals of the training data
  double perplexity = 0;          ///< exp(-log_likelihood / observations)
  double log_row_perplexity = 0;  ///< -log_likelihood / rows: the log, because the number overflows
  double mean_entropy = 0;        ///< of memberships, nats
  std::vector<RowScore> row;
  std::vector<TruthScores> truth;
};

struct EvaluateOptions {
  /// "bound", "exact" or "auto": exact where it is offered, and never under block weights.
  std::string estimator = "auto";
  std::vector<std::string> truth;  ///< kept columns to compare the clusters with
  std::size_t threads = 0;
};

/// The membership of every row. A row with nothing observed gets the prior's.
[[nodiscard]] Memberships transform(const Model& model, const Dataset& data,
                                    std::size_t threads = 0);

/// Scores every row. Throws InputError if the estimator is not offered for this model.
[[nodiscard]] Evaluation evaluate(const Model& model, const Dataset& data,
                                  const EvaluateOptions& options);

}  // namespace medley
