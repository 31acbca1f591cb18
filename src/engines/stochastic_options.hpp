// SPDX-License-Identifier: Apache-2.0
// What --batch, --t0, --kappa and --passes default to, and what cannot go together with them.
#pragma once

#include <cstddef>

#include "medley/data.hpp"
#include "medley/options.hpp"

namespace medley::engines {

/// The options with t0, passes and, where it was left open, the inference filled in. `rows` is the
/// number of all rows, `streamed` whether they come from a file, `shape` tells the columns. Throws
/// InputError listing every objection.
[[nodiscard]] FitOptions stochastic_options(FitOptions options, std::size_t rows, bool streamed,
                                            const Dataset& shape);

/// (t0 + t)^-kappa, the weight of minibatch t = 1, 2, ...
[[nodiscard]] double step_size(const FitOptions& options, std::size_t t);

}  // namespace medley::engines
