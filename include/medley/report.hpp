// SPDX-License-Identifier: Apache-2.0
// A model and its results in words, tables and a page.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "medley/data.hpp"
#include "medley/error.hpp"
#include "medley/evaluate.hpp"
#include "medley/model.hpp"
#include "medley/predict.hpp"
#include "medley/uncertainty.hpp"

namespace medley {

// A model as a person reads it: for tables, each profile's answers that differ most from the
// population; for tokens, top words by probability, lift and FREX.

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

// A model as one HTML page that a person can open, look through and mail: no network, no other
// file. The page only draws; every number on it was computed here.

struct ReportOptions {
  std::string title;  ///< what the page is called; empty: "Medley report"
  /// Rows one by one, with their ids; false: aggregates only, nothing that tells of a single row,
  /// and no word, item, level or class that fewer than min_cell rows have.
  bool rows = true;
  std::size_t most_rows = 20000;  ///< more are sampled; aggregates stay those of all rows
  std::vector<std::string> by;    ///< kept columns of the data whose groups are shown
  std::size_t min_cell = 1;       ///< groups of fewer rows are left out
  std::size_t threads = 0;
  /// How sentences name options for whoever reads the page; empty: as the library does (`k=3`).
  std::function<std::string(std::string_view)> wording = {};
};

/// The fits of `medley select`, as the folder holds them.
struct SelectedModels {
  struct Entry {
    std::size_t components = 0;
    Model model;
    std::size_t restarts = 0, found_again = 0;  ///< as in SelectionCandidate
  };
  std::string result;          ///< what select found, as JSON (to_json in select.hpp)
  std::vector<Entry> entries;  ///< of one smoothing, K ascending
  double smoothing = -1;       ///< theirs, if several were tried; negative: one
  std::size_t chosen = 0;      ///< the entry that the rest of the page is about
};

/// Reads the folder. `components`: the fit to show; 0: the one-standard-error choice of cv, or the
/// best of the first criterion. Throws InputError if it holds no finished selection, or no such K.
[[nodiscard]] SelectedModels load_selected(const std::string& folder, std::size_t components = 0);

/// The model with the names of a TOML file that the page writes: a table [names] with entries
/// 2 = "Frail". Throws InputError naming `file` and every problem.
[[nodiscard]] Model named_by(const Model& model, std::string_view toml, const std::string& file);

/// Whether this medley was built with the page (-DMEDLEY_REPORT=ON).
[[nodiscard]] bool has_report_page();

/// What the page is about. The data must have been read with the model's schema.
struct ReportInput {
  const Model& model;
  const Dataset* data = nullptr;              ///< null: what the model file tells
  const SelectedModels* selection = nullptr;  ///< null: no choice of K
};

/// The page. Throws RunError if there is none (has_report_page).
[[nodiscard]] std::string report_page(const ReportInput& input, const ReportOptions& options,
                                      const Hooks& hooks = {});
/// Everything on it as it is embedded: four bytes (the length of what follows, little-endian), JSON
/// (docs/decisions/0019-report-page.md), and arrays.
[[nodiscard]] std::string report_data(const ReportInput& input, const ReportOptions& options,
                                      const Hooks& hooks = {});

}  // namespace medley
