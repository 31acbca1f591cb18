// SPDX-License-Identifier: Apache-2.0
// Choosing the number of components and the families of columns.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "medley/data.hpp"
#include "medley/error.hpp"
#include "medley/io.hpp"
#include "medley/options.hpp"

namespace medley {

// Choosing the number of components K by several criteria at once, with the uncertainty of the
// choice. Every K (and every smoothing, if several are given) is fitted from several starts; all
// fits are judged by the same criteria, on the same folds.
//
//   cv           held-out log-likelihood per row, over folds; with its standard error
//   aic, bic     -2 l + 2 p, -2 l + p log n: l of the training rows, p parameters (memberships are
//                integrated out and not counted), n rows; with the bound and with the likelihood
//   dic          conditional deviance information criterion of chains at that K (gom-bayes)
//   pearson      residuals of frequent answer patterns: sums of their squares and absolute values
//   dp           the posterior of K of one Dirichlet-process mixture
//   coherence, exclusivity    of topics (quality() in evaluate.hpp)
//
// Smaller is better except for cv, coherence and exclusivity.
//
// The one-standard-error choice by cv is the smallest K whose score is within one standard error of
// the best. This is the error of the difference of the two models, row by row: both are scored on
// the same rows, so most of the variation between rows cancels.

/// What to fit, and how to judge it.
struct SelectOptions {
  std::vector<std::size_t> components;  ///< the K to try, each once, ascending
  std::vector<double> smoothing = {};   ///< a second axis; empty: only the smoothing of `fitting`
  std::vector<std::string> by = {};     ///< names as above; empty: usual_criteria()
  /// The model; its components and smoothing are replaced by those above. `restarts`: fits of every
  /// K, which are compared with each other. `chains`: for dic and dp. Checkpoints are not written.
  FitOptions fitting = {};
  std::size_t folds = 5;          ///< for cv
  std::size_t fold_restarts = 1;  ///< starts of the fit to a fold's training rows
  /// For cv and the likelihood in aic and bic, as EvaluateOptions::estimator. "auto" takes the
  /// bound, for all K, where sampling at the largest K would take hours.
  std::string estimator = "auto";
  double cluster_smoothing = -1;  ///< dp: pseudo-count of every answer; below 0: from the preset
  double least_count = 0;         ///< of a pattern; 0: at least 5, and such that there are about 25
  std::string folder;             ///< for all models and results
  bool resume = false;            ///< continue with the contents of the folder
};

/// The default criteria: cv, aic and bic; pearson if all columns have levels; coherence and
/// exclusivity if there are words.
[[nodiscard]] std::vector<std::string> usual_criteria(const Dataset& data);

/// One score of one fit.
struct SelectionScore {
  std::string criterion;  ///< as above; "pearson-squares" and "pearson-absolute" for pearson
  std::string basis;      ///< aic, bic: "bound" or "likelihood"; for topics: their block
  std::string estimator;  ///< how it was computed
  double value = 0;
  double error = 0;  ///< standard error
  /// cv, aic, bic: how much worse than the best candidate of the series, with the standard error of
  /// that difference over rows.
  std::optional<double> behind = {};
  double behind_error = 0;
  bool usable = true;  ///< false: the chains have not mixed; base no choice on it
};

/// One K (at one smoothing).
struct SelectionCandidate {
  std::size_t components = 0;
  double smoothing = -1;     ///< negative: the default of the model
  std::string file;          ///< of the best fit, in the folder
  std::string inference;     ///< of the fit
  double parameters = 0;     ///< p of aic and bic
  std::size_t restarts = 0;  ///< number of fits
  std::size_t again = 0;     ///< fits that ended within 1e-4 (relative) of the best bound
  double similarity = 1;     ///< 1 - mean distance (compare()) of the profiles of best and others
  /// The best fit was the one that started from the fit of the previous K, with its largest profile
  /// split.
  bool split_won = false;
  bool converged = true;
  double penalised_bound = 0;
  double smallest = 0;  ///< share of all memberships of the smallest profile
  std::vector<SelectionScore> scores = {};
};

/// The choice by one criterion.
struct SelectionVerdict {
  std::string criterion, basis;
  std::size_t best = 0;  ///< index of a candidate
  /// cv, pearson: the one-standard-error choice; for other criteria the same as best.
  std::size_t modest = 0;
  bool bound = false;  ///< based on a bound, whose gap grows with K
  bool usable = true;
};

/// Posterior of the number of clusters.
struct SelectionClusters {
  std::map<std::size_t, double> share = {};
  std::size_t mode = 0, low = 0, high = 0;  ///< 90 % of the draws lie from low to high
  bool mixed = false;
};

/// The patterns that pearson uses.
struct SelectionPatterns {
  std::size_t count = 0;
  double least_count = 0;
  double observed = 0;  ///< rows that have one of them
};

/// The result of a selection.
struct Selection {
  std::vector<SelectionCandidate> candidates;  ///< smoothing by smoothing, K ascending
  std::vector<SelectionVerdict> verdicts;
  std::optional<SelectionClusters> clusters = {};
  SelectionPatterns patterns = {};
  double rows = 0;  ///< n of bic: rows with something observed
  std::size_t folds = 0;
  std::vector<std::string> warnings = {};
  std::string advice = {};   ///< some sentences
  bool interrupted = false;  ///< stopped by the hooks; the folder has what was finished
};

/// Fits and judges. Each finished fit is saved in the folder at once: the model (k03.medley, with
/// several smoothings k03_s0.1.medley), the folds' results for every row (k03_held_out.csv), and
/// select.json; at the end criteria.csv with all scores in long form. Several fits run side by side
/// if threads and memory allow, which does not change the result. Throws InputError before fitting
/// anything if the options do not apply, if the folder exists and `resume` is not set, or if it
/// holds a selection with other data or options (other criteria are allowed).
[[nodiscard]] Selection select(const Dataset& data, const SelectOptions& options,
                               const Hooks& hooks = {});

/// The table, the best K of each criterion, and the advice, as text.
[[nodiscard]] std::string describe(const Selection& selection);
/// Everything as one JSON object.
[[nodiscard]] std::string to_json(const Selection& selection);

// Choosing the family of a column by how well it predicts held-out values.
//
// Each family that takes every value of a column is fitted to the column alone, with one and with
// three components (latent classes), on four fifths of the cells, and scored on the other fifth;
// five times. Numbers are recorded in steps (1, or 0.1 for one decimal), and every score is the log
// of the probability of the step around a cell: a family of real numbers gets the mass of (x - step
// / 2, x + step / 2]. So counts, levels and real numbers are on one scale, and a value that many
// rows share gains nothing beyond its share. Numbers written with exponents have no step: their
// scores are log densities, and families of levels are left out.

/// The score of one family on one column.
struct RankedFamily {
  std::string family;          ///< as ReadOptions::family takes it: "poisson:shift=1"
  std::size_t components = 1;  ///< the better of 1 and 3
  double score = 0;            ///< held-out nats per cell
  double standard_error = 0;   ///< of the score
  double behind = 0;           ///< the best family's score minus this one's
  double behind_error = 0;     ///< standard error of that difference, over cells
};

/// The families of one column, ranked.
struct ColumnRanking {
  std::string source, column;
  std::size_t cells = 0;               ///< number used: a sample of long columns
  double step = 0;                     ///< in which the numbers were recorded; 0: log densities
  std::string inferred;                ///< the family that schema inference chose, written likewise
  std::vector<RankedFamily> families;  ///< best first

  /// The family of that name (as in RankedFamily::family), or null.
  [[nodiscard]] const RankedFamily* find(const std::string& family) const;
  /// Whether the best family is better than the inferred one by more than two standard errors.
  [[nodiscard]] bool disagrees() const;
};

/// How to rank families.
struct SuggestOptions {
  std::size_t folds = 5;
  std::size_t most_cells = 20'000;  ///< of a column; a longer one is sampled
  std::uint64_t seed = 1;
  std::size_t threads = 0;
};

/// Ranks the families of every column of the tables that holds numbers with at least three
/// different values. Throws InputError if the sources hold no table.
[[nodiscard]] std::vector<ColumnRanking> suggest_families(const std::vector<Source>& sources,
                                                          const ReadOptions& reading,
                                                          const SuggestOptions& options,
                                                          const Hooks& hooks = {});

/// The rankings as text, with the options to use where the data disagree with the inferred family.
[[nodiscard]] std::string describe(const std::vector<ColumnRanking>& rankings);

}  // namespace medley
