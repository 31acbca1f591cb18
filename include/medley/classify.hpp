// SPDX-License-Identifier: Apache-2.0
// The class of a row, by a model that was fitted with a label: probabilities, what spoke for the
// likeliest class, and how good such predictions are on rows whose class is known. The label of a
// row, if it has one, is never used for its own prediction.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "medley/dataset.hpp"
#include "medley/hooks.hpp"
#include "medley/model.hpp"

namespace medley {

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

}  // namespace medley
