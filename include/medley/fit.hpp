// SPDX-License-Identifier: Apache-2.0
// Fitting a model, going on with a saved one as rows arrive, and choosing the options of a
// classifier.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "medley/data.hpp"
#include "medley/io.hpp"
#include "medley/model.hpp"
#include "medley/options.hpp"

namespace medley {

// Fitting: data and options in, model out.

/// Fits a model. Throws InputError before anything is computed if the options make no sense for the
/// data, listing every objection. An interrupted fit returns the best model so far
/// (summary().termination says so) after writing the checkpoint, if one was asked for; it does not
/// score the rows any more (FitSummary::bound). Interrupted while options and data are looked at,
/// when there is no model yet and no checkpoint to write, it throws Interrupted.
[[nodiscard]] Model fit(const Dataset& data, const FitOptions& options, const Hooks& hooks = {});
/// The same, going on from the parameters of a model of the same columns and number of components
/// instead of a start of its own: one course, whatever the options say of starts and restarts.
/// Models that are sampled have starts of their own.
[[nodiscard]] Model fit(const Dataset& data, const FitOptions& options, const Model& start,
                        const Hooks& hooks = {});
/// Minibatch by minibatch (options.batch must be above 0) from rows that need not fit into memory.
/// Columns are looked at, and the start found, on a sample of the rows.
[[nodiscard]] Model fit(const RowSource& rows, const FitOptions& options, const Hooks& hooks = {});
[[nodiscard]] Model fit(const RowSource& rows, const FitOptions& options, const Model& start,
                        const Hooks& hooks = {});

// Learning on: a saved model and new rows in, a model of both out, without the rows that the saved
// one was learnt from. The statistics that its tables are the maximum of are the start; then come
// minibatches as in a fit,
//
//   statistics <- (1 - rho_t) statistics + rho_t D/|C_t| statistics of the minibatch
//   rho_t = (t0 + t)^-kappa,   D = rows before + new rows
//
// t goes on from where the model stopped, counted in rows: t = rows learnt so far (in all passes) /
// batch. That is the weight of what was learnt before: with t0 = 0, kappa = 1 and one pass every
// row, old or new, counts the same; a smaller kappa lets later rows count for more.

/// What is not given is as in the model: its own fit in minibatches, or the defaults of one.
struct UpdateOptions {
  std::size_t batch = 0;          ///< 0: the model's, else 1000, but all new rows if they are fewer
  std::optional<double> t0 = {};  ///< 0 or more
  std::optional<double> kappa = {};  ///< above 0.5, at most 1
  std::size_t passes = 0;            ///< over the new rows
  std::optional<std::uint64_t> seed = {};
  std::size_t threads = 0;  ///< 0: all cores that we may use
  // As in FitOptions:
  std::string checkpoint = {};
  double checkpoint_seconds = 60;
  bool resume = false;
};

/// The rows must have been read by the model's schema. Components keep their numbers and names; the
/// summary counts all rows, and its bound is that of the new ones. Throws InputError listing every
/// objection: a label that the model learnt, rows of other columns, no rows, or rows that hold
/// nothing the model knows.
[[nodiscard]] Model update(const Model& model, const RowSource& rows, const UpdateOptions& options,
                           const Hooks& hooks = {});
[[nodiscard]] Model update(const Model& model, const Dataset& rows, const UpdateOptions& options,
                           const Hooks& hooks = {});

// Options of a fit with a label, chosen by inner validation: some of the rows are held out, every
// candidate is fitted to the others, and the one that tells the classes of the held-out rows best
// is taken. The held-out rows are the same for all candidates.
//
// Best: of the candidates whose accuracy is within one standard error of the highest (of the
// difference, row by row), the one with the lowest log-loss; of equals the smaller value. Accuracy
// alone is a lottery on small sets, log-loss alone is ruled by a few rows that were surely wrong.
//
// One option after the other, in the order K, label weight, start of eta, pull: not their product.

/// What to choose; all other options stay as given.
struct Auto {
  bool components = false;  ///< K: 1, 2, 3, 5 or 8 per class, at most a fifth of the rows
  bool weight = false;      ///< of the label, joint only: 1, sqrt(m) or m, the mean size of a row
  bool eta_start = false;   ///< 0, 10, ..., 100, on one split: nine tenths to fit, one to judge
  bool pull = false;        ///< of the conditional objective: 0.1, 1, 10 or 100
  std::size_t folds = 5;    ///< the rows are dealt into this many parts, class by class

  [[nodiscard]] bool any() const { return components || weight || eta_start || pull; }
};

/// A candidate and how it did on the rows held out.
struct Tried {
  std::string option;  ///< "k"
  double value = 0;
  double accuracy = 0, accuracy_error = 0;  ///< with its standard error, over the rows
  double log_loss = 0, log_loss_error = 0;  ///< nats per row
  bool chosen = false;
};

struct ChosenOptions {
  FitOptions fitting;        ///< with the choice filled in
  std::vector<Tried> tried;  ///< option by option, values ascending
  std::size_t rows = 0;      ///< held out, over all folds
  std::size_t fits = 0;
  bool interrupted = false;  ///< stopped by the hooks: what was not chosen is the first candidate
};

/// Fits `options` with every candidate in turn. Candidates and folds run side by side, one thread
/// each, which changes nothing. Rows without a class, and the only row of a class, are never held
/// out. On large data only some folds are used: as many as hold out 1000 rows. Throws InputError if
/// the data has no label, or one that is not to be learnt.
[[nodiscard]] ChosenOptions choose_label_options(const Dataset& data, const FitOptions& options,
                                                 const Auto& what, const Hooks& hooks = {});

/// Chooses, and fits all rows with the choice. With nothing to choose it is `fit`.
[[nodiscard]] Model fit_choosing(const Dataset& data, const FitOptions& options, const Auto& what,
                                 const Hooks& hooks = {});

/// What was tried and taken, as a small table for people.
[[nodiscard]] std::string describe(const ChosenOptions& choice);

}  // namespace medley
