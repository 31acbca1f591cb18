// SPDX-License-Identifier: Apache-2.0
// Fitting in minibatches, from rows to model: a start on a sample, passes over the rows,
// checkpoints and progress on the way, rows counted and a sample of them scored at the end. An
// update begins with a model instead of a start.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "engines/engine.hpp"
#include "medley/fit.hpp"

namespace medley::engines {

struct StochasticTask {
  bool streamed = false;  ///< rows come from a file (which decides how many passes are usual)
  const Model* start = nullptr;   ///< begin with its tables and prior, on the sample
  const Model* before = nullptr;  ///< an update: what to learn on from
  std::string mark = {};          ///< of that model; a checkpoint goes with it
};
[[nodiscard]] Model fit_in_minibatches(const RowSource& rows, const FitOptions& options,
                                       const Hooks& hooks, const StochasticTask& task);

// The score of rows that the model has not learnt from yet, for learning curves: by completion in
// three parts, each predicted from the other two (evaluate/estimators.hpp has the estimator with
// all its trimmings). Rows are inferred about as loosely as when they are learnt from.

/// Nats per observation; nothing if no row has three. At most the first `most_rows` rows are
/// scored. The model's families are prepared by it.
[[nodiscard]] std::optional<double> held_out_score(EmModel& model, const Dataset& rows,
                                                   std::size_t most_rows, std::uint64_t seed,
                                                   std::size_t threads);

}  // namespace medley::engines
