// SPDX-License-Identifier: Apache-2.0
// A model as a person reads it: for tables, each profile's answers that differ most from the
// population; for tokens, top words by probability, lift and FREX.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "medley/classify.hpp"
#include "medley/dataset.hpp"
#include "medley/diagnose.hpp"
#include "medley/evaluate.hpp"
#include "medley/model.hpp"
#include "medley/predict.hpp"

namespace medley {

enum class TextFormat { text, csv, md, latex };

struct GroupMeans;
/// The means of groups (uncertainty.hpp): text as describe() has it; csv, a line per group and
/// profile; md and latex, a table of groups by profiles.
[[nodiscard]] std::string write_groups(const GroupMeans& means, const Model& model,
                                       TextFormat format);

struct InspectOptions {
  TextFormat format = TextFormat::text;
  std::size_t top = 0;      ///< entries per profile; 0: 8 answers or 10 words
  std::size_t width = 100;  ///< columns of the terminal (text only)
  bool colour = false;      ///< ANSI colours (text only)
};

/// The profiles of a model in the wanted format; csv is complete (every level of every feature).
[[nodiscard]] std::string inspect(const Model& model, const InspectOptions& options);

/// "converged", "iteration limit", "interrupted", "passes done" or "sampled".
[[nodiscard]] const char* in_words(Termination termination);
/// The summary of a fit in words: converged or not, the bound, what degenerated, time and memory.
[[nodiscard]] std::string describe(const FitSummary& summary);
/// What was read, in words: rows, blocks with their families, missing and unseen cells, warnings.
[[nodiscard]] std::string describe(const Dataset& data);
/// The words, items and levels of the data that the schema it was read by does not know, and the
/// columns; empty if it knows all.
[[nodiscard]] std::string describe_unknown(const Dataset& data);
/// The scores of a file as a small table for people.
[[nodiscard]] std::string describe(const Evaluation& evaluation);
/// How well classes are predicted: scores beside their baseline, confusion matrix, calibration.
[[nodiscard]] std::string describe(const LabelScores& scores);
/// A profile that drove a prediction, in words: "Profile 2 (71 % of the row, 95 % yes): +0.43".
[[nodiscard]] std::string describe(const ProfileDriver& driver, const Model& model,
                                   const std::string& predicted);
/// A cell that did, of the data it was found in: "age = 71: +2.30 (alone +3.10)".
[[nodiscard]] std::string describe(const CellDriver& driver, const Dataset& data);
/// How well hidden cells were predicted, as a small table for people.
[[nodiscard]] std::string describe(const Holdout& holdout);
/// Models of several sizes, K first, that predict the same hidden cells.
[[nodiscard]] std::string describe(const std::vector<std::pair<std::size_t, Holdout>>& holdouts);
/// What is wrong with a fit or its chains, in sentences with the numbers behind them.
[[nodiscard]] std::string describe(const Diagnosis& diagnosis);
/// The scores over the folds, train beside test.
[[nodiscard]] std::string describe(const CrossValidation& validation);

/// Text from a file made safe to print on a terminal: control characters, characters that reverse
/// the direction of the line and bytes that are no UTF-8 are replaced; line ends stay if `lines` is
/// set.
[[nodiscard]] std::string printable(std::string_view text, bool lines = false);

}  // namespace medley
