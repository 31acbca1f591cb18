// SPDX-License-Identifier: Apache-2.0
// Fitting in minibatches, from rows to model: a start on a sample, passes over the rows,
// checkpoints and progress on the way, rows counted and a sample of them scored at the end. An
// update begins with a model instead of a start.
#pragma once

#include <string>

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

}  // namespace medley::engines
