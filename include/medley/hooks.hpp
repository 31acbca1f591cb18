// SPDX-License-Identifier: Apache-2.0
// How long work says where it is, and how it is stopped. Every function that goes through all rows
// takes Hooks as its last argument.
#pragma once

#include <atomic>
#include <cstddef>
#include <functional>
#include <optional>
#include <string>

namespace medley {

/// One step of a fit, or how far other work has come, for progress bars and trace files.
struct Progress {
  std::size_t restart = 0;  ///< from 0
  std::size_t restarts = 1;
  /// Of a fit: "start" (finding a starting point), the name of a candidate for the beginning
  /// (TriedStart), "fit", "sweep", "replicate" (a whole fit). Of other work what it does:
  /// "reading", "scoring rows"; then only rows_seen, rows_all, seconds and seconds_left are told.
  std::string stage;
  std::size_t iteration = 0;  ///< within the stage, from 1; 0 for whole fits
  double bound = 0;  ///< the penalised bound after this iteration; of a minibatch: not penalised
  /// `bound` is none, but the leave-one-out log-likelihood (collapsed inference): it may fall.
  bool leave_one_out = false;
  double change = 0;          ///< relative growth since the iteration before
  double seconds = 0;         ///< since the fit, or the stage of other work, began
  std::size_t rows_seen = 0;  ///< rows processed since then
  std::size_t rows_all = 0;   ///< that the stage of other work goes through; 0: not known, or a fit
  double seconds_left = -1;   ///< estimate; negative when unknown
  /// Minibatches only, where one was scored before it was learnt: nats per held-out observation, by
  /// completion (three parts, each predicted from the others).
  std::optional<double> score = {};
};

/// How work reports and is stopped. All may be empty.
struct Hooks {
  /// Called by whichever thread is at work, never by two at once.
  std::function<void(const Progress&)> progress = {};
  /// Set it (from a signal handler, say) to stop: within half a second the function throws
  /// Interrupted (error.hpp), or returns what it has where its result can say that it was
  /// interrupted. A fit does, after writing the checkpoint if one was asked for.
  const std::atomic<bool>* stop = nullptr;
  /// What the work goes on in spite of, as a sentence: a checkpoint that could not be written. Of
  /// the run, not of the model: FitSummary::warnings does not have it.
  std::function<void(const std::string&)> warn = {};
};

}  // namespace medley
