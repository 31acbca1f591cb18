// SPDX-License-Identifier: Apache-2.0
// Where stochastic EM begins: the starts of batch EM, found on a sample of the rows.
#pragma once

#include "engines/engine.hpp"
#include "engines/stochastic_em.hpp"
#include "medley/model.hpp"
#include "model/resolve.hpp"

namespace medley::engines {

/// An engine with the tables and statistics of the start that the options ask for, or of the model
/// `from` if it is not null. `data` is the sample, which stands for `rows` rows.
[[nodiscard]] StochasticEm stochastic_start(const EmData& data, const model::Resolved& resolved,
                                            const Model* from, EmModel model, std::size_t rows);

}  // namespace medley::engines
