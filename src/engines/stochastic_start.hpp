// SPDX-License-Identifier: Apache-2.0
// Where stochastic EM begins: the starts of batch EM, found on a sample of the rows.
#pragma once

#include <cstddef>

#include "engines/engine.hpp"
#include "engines/stochastic_em.hpp"
#include "medley/data.hpp"
#include "medley/model.hpp"
#include "medley/options.hpp"
#include "model/resolve.hpp"

namespace medley::engines {

/// An engine with the tables and statistics of the start that the options ask for, or of the model
/// `from` if it is not null. `data` is the sample, which stands for `rows` rows.
[[nodiscard]] StochasticEm stochastic_start(const EmData& data, const model::Resolved& resolved,
                                            const Model* from, EmModel model, std::size_t rows);

// What a saved model was learnt from, as far as learning on needs it. Tables and prior are the
// maximum given their statistics, so these can be had back from them (Family::recall,
// Membership::recall) but for one number: how much of feature f each component holds,
//
//   N_fk = (cells of the feature in the training data) x (size of the component)
//
// exact for one component; else it says how firmly the component holds on to the column, not what
// it says of it.

/// Where an update begins.
struct LearntBefore {
  std::size_t rows = 0;   ///< that the model was learnt from
  std::size_t steps = 0;  ///< t: minibatches of the size that is used now
};
[[nodiscard]] LearntBefore learnt_before(const Model& before, std::size_t batch);

/// An engine with the tables of the model, and statistics as if there were `rows` rows. `model` is
/// made for the same columns. Throws InputError if it consists of parts that cannot be learnt on
/// from.
[[nodiscard]] StochasticEm engine_from(const Model& before, EmModel model, std::size_t threads,
                                       double rows);

// What --batch, --t0, --kappa and --passes default to, and what cannot go together with them.

/// The options with t0, passes and, where it was left open, the inference filled in. `rows` is the
/// number of all rows, `streamed` whether they come from a file, `shape` tells the columns. Throws
/// InputError listing every objection.
[[nodiscard]] FitOptions stochastic_options(FitOptions options, std::size_t rows, bool streamed,
                                            const Dataset& shape);

/// (t0 + t)^-kappa, the weight of minibatch t = 1, 2, ...
[[nodiscard]] double step_size(const FitOptions& options, std::size_t t);

}  // namespace medley::engines
