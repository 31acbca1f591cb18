// SPDX-License-Identifier: Apache-2.0
// A model and its results as text, tables and an HTML page.
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

// A model for people: for tables, the answers of each profile that differ most from the population;
// for tokens, the top words by probability, lift and FREX.

/// The format of written text.
enum class TextFormat { text, csv, md, latex };

struct GroupMeans;
/// The means of groups (uncertainty.hpp): text as describe() writes it; csv, a line per group and
/// profile; md and latex, a table of groups by profiles.
[[nodiscard]] std::string write_groups(const GroupMeans& means, const Model& model,
                                       TextFormat format);

/// How to write the profiles.
struct InspectOptions {
  TextFormat format = TextFormat::text;
  std::size_t top = 0;      ///< entries per profile; 0: 8 answers or 10 words
  std::size_t width = 100;  ///< columns of the terminal (text only)
  bool colour = false;      ///< ANSI colours (text only)
};

/// The profiles of a model in the chosen format; csv is complete (every level of every feature).
[[nodiscard]] std::string inspect(const Model& model, const InspectOptions& options);

/// "converged", "iteration limit", "interrupted", "passes done" or "sampled".
[[nodiscard]] const char* in_words(Termination termination);
/// The summary of a fit as text: whether it converged, the bound, warnings, time and memory.
[[nodiscard]] std::string describe(const FitSummary& summary);
/// What was read, as text: rows, blocks with their families, missing and unseen cells, warnings.
[[nodiscard]] std::string describe(const Dataset& data);
/// The words, items, levels and columns of the data that the schema does not know, as text; empty
/// if it knows all.
[[nodiscard]] std::string describe_unknown(const Dataset& data);
/// The scores of a file as a small text table.
[[nodiscard]] std::string describe(const Evaluation& evaluation);
/// Scores of predicted classes beside their baseline, confusion matrix, calibration, as text.
[[nodiscard]] std::string describe(const LabelScores& scores);
/// A profile's effect on a prediction, in words: "Profile 2 (71 % of the row, 95 % yes): +0.43".
[[nodiscard]] std::string describe(const ProfileDriver& driver, const Model& model,
                                   const std::string& predicted);
/// A cell's effect on a prediction: "age = 71: +2.30 (alone +3.10)". `data` must hold the cell.
[[nodiscard]] std::string describe(const CellDriver& driver, const Dataset& data);
/// How well hidden cells were predicted, as a small text table.
[[nodiscard]] std::string describe(const Holdout& holdout);
/// The same for models of several sizes (K first) on the same hidden cells.
[[nodiscard]] std::string describe(const std::vector<std::pair<std::size_t, Holdout>>& holdouts);
/// The problems of a fit or its chains, in sentences with the numbers behind them.
[[nodiscard]] std::string describe(const Diagnosis& diagnosis);
/// The scores over the folds, training rows beside test rows, as text.
[[nodiscard]] std::string describe(const CrossValidation& validation);

/// Makes text from a file safe to print on a terminal: replaces control characters, characters that
/// reverse the direction of the line, and bytes that are not UTF-8. Line ends stay if `lines` is
/// set.
[[nodiscard]] std::string printable(std::string_view text, bool lines = false);

// A model as one HTML page that needs no network and no other file. The page only draws; the
// library computes every number on it.

/// What the page shows.
struct ReportOptions {
  std::string title;  ///< of the page; empty: "Medley report"
  /// True: show single rows with their ids. False: only aggregates, nothing about a single row, and
  /// no word, item, level or class that fewer than min_cell rows have.
  bool rows = true;
  std::size_t most_rows = 20000;  ///< above it rows are sampled; aggregates are of all rows
  std::vector<std::string> by;    ///< kept columns of the data; the page shows their groups
  std::size_t min_cell = 1;       ///< groups of fewer rows are left out
  std::size_t threads = 0;
  /// Converts the names of options in sentences for the reader; empty: keep them (`k=3`).
  std::function<std::string(std::string_view)> wording = {};
};

/// The fits of a selection, read from its folder.
struct SelectedModels {
  struct Entry {
    std::size_t components = 0;
    Model model;
    std::size_t restarts = 0, found_again = 0;  ///< as in SelectionCandidate
  };
  std::string result;          ///< the selection as JSON (to_json in select.hpp)
  std::vector<Entry> entries;  ///< of one smoothing, K ascending
  double smoothing = -1;       ///< their smoothing, if several were tried; else negative
  std::size_t chosen = 0;      ///< the entry that the rest of the page shows
};

/// Reads the folder. `components`: the K to show; 0: the one-standard-error choice of cv, or the
/// best K of the first criterion. Throws InputError if the folder holds no finished selection, or
/// not that K.
[[nodiscard]] SelectedModels load_selected(const std::string& folder, std::size_t components = 0);

/// The model with names from a TOML file as the page writes it: a table [names] with entries
/// 2 = "Frail". Throws InputError naming `file` and every problem.
[[nodiscard]] Model named_by(const Model& model, std::string_view toml, const std::string& file);

/// Whether this build contains the page (-DMEDLEY_REPORT=ON).
[[nodiscard]] bool has_report_page();

/// The content of the page. The data must have been read with the model's schema.
struct ReportInput {
  const Model& model;
  const Dataset* data = nullptr;              ///< null: show only what the model file holds
  const SelectedModels* selection = nullptr;  ///< null: no choice of K
};

/// The page as HTML. Throws RunError if this build has no page (has_report_page).
[[nodiscard]] std::string report_page(const ReportInput& input, const ReportOptions& options,
                                      const Hooks& hooks = {});
/// The data that the page embeds: four bytes (the length of the JSON, little-endian), JSON
/// (docs/decisions/0019-report-page.md), and arrays.
[[nodiscard]] std::string report_data(const ReportInput& input, const ReportOptions& options,
                                      const Hooks& hooks = {});

}  // namespace medley
