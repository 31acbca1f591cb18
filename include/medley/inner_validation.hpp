// SPDX-License-Identifier: Apache-2.0
// Options of a fit with a label, chosen by inner validation: some of the rows are held out, every
// candidate is fitted to the others, and the one that tells the classes of the held-out rows best
// is taken. The held-out rows are the same for all candidates.
//
// Best: of the candidates whose accuracy is within one standard error of the highest (of the
// difference, row by row), the one with the lowest log-loss; of equals the smaller value. Accuracy
// alone is a lottery on small sets, log-loss alone is ruled by a few rows that were surely wrong.
//
// One option after the other, in the order K, label weight, start of eta, pull: not their product.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "medley/dataset.hpp"
#include "medley/model.hpp"
#include "medley/options.hpp"

namespace medley {

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
