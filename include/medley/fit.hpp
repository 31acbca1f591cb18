// SPDX-License-Identifier: Apache-2.0
// Fitting a model, updating a saved model with new rows, and choosing the options of a classifier.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "medley/data.hpp"
#include "medley/io.hpp"
#include "medley/model.hpp"
#include "medley/options.hpp"

namespace medley {

// Fitting: data and options in, model out.

/// Fits a model. Throws InputError before computing anything if the options do not suit the data,
/// listing every objection. An interrupted fit writes the checkpoint, if one is configured, and
/// returns the best model so far (summary().termination says so), without scoring the rows
/// (FitSummary::bound). If it is interrupted while it still checks options and data, when there is
/// neither a model nor a checkpoint to write, it throws Interrupted.
[[nodiscard]] Model fit(const Dataset& data, const FitOptions& options, const Hooks& hooks = {});
/// The same, starting from the parameters of a model with the same columns and number of
/// components. It runs one restart, whatever the options say about starts and restarts. A sampled
/// fit ignores `start`, because its chains have their own starts.
[[nodiscard]] Model fit(const Dataset& data, const FitOptions& options, const Model& start,
                        const Hooks& hooks = {});
/// Fits minibatch by minibatch (options.batch must be above 0) from rows that need not fit into
/// memory. A sample of the rows is used to examine the columns and to find the start.
[[nodiscard]] Model fit(const RowSource& rows, const FitOptions& options, const Hooks& hooks = {});
[[nodiscard]] Model fit(const RowSource& rows, const FitOptions& options, const Model& start,
                        const Hooks& hooks = {});

/// Processes that fit one model together, numbered from 0: those of MPI, say. A fit calls it from
/// one thread at a time, but not always from the same one. What is sent arrives whole and in order.
/// A process that throws leaves the others waiting: whoever started them has to end them all.
class Communicator {
 public:
  Communicator() = default;
  virtual ~Communicator() = default;
  Communicator(const Communicator&) = delete;
  Communicator& operator=(const Communicator&) = delete;

  [[nodiscard]] virtual std::size_t rank() const = 0;  ///< the number of this process
  [[nodiscard]] virtual std::size_t size() const = 0;  ///< how many there are
  virtual void send(std::size_t to, std::span<const std::byte> bytes) = 0;
  /// Waits for the next message of that process.
  [[nodiscard]] virtual std::vector<std::byte> receive(std::size_t from) = 0;
};

/// Every process calls it with the same data and options, and gets the same model: that of a fit in
/// one process with as many FitOptions::shards, bit for bit. Standard and fast inference of all
/// rows at once; what else is asked for is refused with an InputError. Without `shards` there are
/// as many as processes.
[[nodiscard]] Model fit(const Dataset& data, const FitOptions& options, Communicator& processes,
                        const Hooks& hooks = {});

// Updating: a saved model and new rows in, a model of both out, without the rows that the saved
// model was learnt from. The start is the statistics whose M-step gives the saved tables; then come
// minibatches as in a fit,
//
//   statistics <- (1 - rho_t) statistics + rho_t D/|C_t| statistics of the minibatch
//   rho_t = (t0 + t)^-kappa,   D = rows before + new rows
//
// t continues where the model stopped, counted in rows: t = rows learnt so far (in all passes) /
// batch. This sets the weight of what was learnt before: with t0 = 0, kappa = 1 and one pass every
// row, old or new, counts the same; a smaller kappa gives later rows more weight.

/// Options without a value default to those of the model's own minibatch fit, else to the defaults
/// of one.

/// What is not given is as in the model: its own fit in minibatches, or the defaults of one.
struct UpdateOptions {
  std::size_t batch = 0;          ///< 0: the model's, else 1000, or all new rows if they are fewer
  std::optional<double> t0 = {};  ///< 0 or more
  std::optional<double> kappa = {};  ///< above 0.5, at most 1
  std::size_t passes = 0;            ///< over the new rows
  std::optional<std::uint64_t> seed = {};
  std::size_t threads = 0;  ///< 0: all cores that the process may use
  // As in FitOptions:
  std::string checkpoint = {};
  double checkpoint_seconds = 60;
  bool resume = false;
};

/// Updates a model. The rows must have been read with the model's schema. Components keep their
/// numbers and names; the summary counts all rows, and its bound is that of the new rows. Throws
/// InputError listing every objection: the model learnt a label, the rows have other columns, there
/// are no rows, or the rows hold nothing that the model knows.
[[nodiscard]] Model update(const Model& model, const RowSource& rows, const UpdateOptions& options,
                           const Hooks& hooks = {});
[[nodiscard]] Model update(const Model& model, const Dataset& rows, const UpdateOptions& options,
                           const Hooks& hooks = {});

// Choosing options of a fit with a label by inner validation: some of the rows are held out, every
// candidate is fitted to the others, and the candidate that classifies the held-out rows best is
// chosen. The held-out rows are the same for all candidates.
//
// Best: among the candidates whose accuracy is within one standard error of the highest (the error
// of the difference, row by row), the one with the lowest log-loss; of equals the smaller value.
// Accuracy alone is too noisy on small sets, and log-loss alone depends on a few rows that were
// confidently wrong.
//
// The options are chosen one after the other, in the order K, label weight, start of eta, pull; not
// all combinations are tried.

/// Which options to choose; all others stay as given.

/// What to choose; all other options stay as given.
struct Auto {
  bool components = false;  ///< K: 1, 2, 3, 5 or 8 per class, at most a fifth of the rows
  bool weight = false;      ///< of the label, joint only: 1, sqrt(m) or m, the mean size of a row
  bool eta_start = false;   ///< 0, 10, ..., 100, on one split: nine tenths to fit, one to validate
  bool pull = false;        ///< of the conditional objective: 0.1, 1, 10 or 100
  std::size_t folds = 5;    ///< the rows are split into this many parts, class by class

  /// Whether there is anything to choose.
  [[nodiscard]] bool any() const { return components || weight || eta_start || pull; }
};

/// A candidate and its scores on the held-out rows.
struct Tried {
  std::string option;  ///< "k"
  double value = 0;
  double accuracy = 0, accuracy_error = 0;  ///< and its standard error over the rows
  double log_loss = 0, log_loss_error = 0;  ///< nats per row
  bool chosen = false;
};

/// The result of choosing.
struct ChosenOptions {
  FitOptions fitting;        ///< the options with the choices filled in
  std::vector<Tried> tried;  ///< option by option, values ascending
  std::size_t rows = 0;      ///< held-out rows over all folds
  std::size_t fits = 0;
  bool interrupted = false;  ///< stopped by the hooks: open choices have their first candidate
};

/// Fits `options` with every candidate in turn. Candidates and folds run side by side, one thread
/// each, which does not change the result. Rows without a class, and the only row of a class, are
/// never held out. On large data only as many folds are used as hold out 1000 rows. Throws
/// InputError if the data have no label, or one that is not to be learnt.
[[nodiscard]] ChosenOptions choose_label_options(const Dataset& data, const FitOptions& options,
                                                 const Auto& what, const Hooks& hooks = {});

/// Chooses the options and fits all rows with them. With nothing to choose it equals `fit`.
[[nodiscard]] Model fit_choosing(const Dataset& data, const FitOptions& options, const Auto& what,
                                 const Hooks& hooks = {});

/// The candidates and the choices, as a small text table.
[[nodiscard]] std::string describe(const ChosenOptions& choice);

}  // namespace medley
