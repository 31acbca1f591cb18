// SPDX-License-Identifier: Apache-2.0
// Fitting in minibatches, from rows to model: a start on a sample, passes over the rows,
// checkpoints and progress on the way, every row scored afresh at the end.
#pragma once

#include "medley/fit.hpp"

namespace medley::engines {

/// `streamed`: the rows come from a file (which decides how many passes are usual).
[[nodiscard]] Model fit_in_minibatches(const RowSource& rows, const FitOptions& options,
                                       const FitHooks& hooks, bool streamed);

}  // namespace medley::engines
