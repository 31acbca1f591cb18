// SPDX-License-Identifier: Apache-2.0
// What a saved model was learnt from, as far as learning on needs it. Tables and prior are the
// maximum given their statistics, so these can be had back from them (Family::recall,
// Membership::recall) but for one number: how much of feature f each component holds,
//
//   N_fk = (cells of the feature in the training data) x (size of the component)
//
// exact for one component; else it says how firmly the component holds on to the column, not what
// it says of it.
#pragma once

#include "engines/stochastic_em.hpp"
#include "medley/model.hpp"

namespace medley::engines {

/// Where an update begins.
struct Recalled {
  std::size_t rows = 0;   ///< that the model was learnt from
  std::size_t steps = 0;  ///< t: minibatches of the size that is used now
};
[[nodiscard]] Recalled recalled(const Model& before, std::size_t batch);

/// An engine with the tables of the model, and statistics as if there were `rows` rows. `model` is
/// made for the same columns. Throws InputError if it consists of parts that cannot be learnt on
/// from.
[[nodiscard]] StochasticEm engine_from(const Model& before, EmModel model, std::size_t threads,
                                       double rows);

}  // namespace medley::engines
