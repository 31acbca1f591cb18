// SPDX-License-Identifier: Apache-2.0
// From a data set to the draws of a Dirichlet-process mixture. The profiles that are shown are the
// clusters of a point partition, the draw that the others agree with most; what a draw says of them
// is told by the rows that its clusters share with them.
#pragma once

#include "medley/data.hpp"
#include "model/resolve.hpp"
#include "samplers/dp_model.hpp"
#include "samplers/sampled.hpp"

namespace medley::samplers {

/// What the options of a fit mean for it.
[[nodiscard]] DpOptions dp_options(const Dataset& data, const model::Resolved& resolved);

[[nodiscard]] Sampled sample_dp(const Dataset& data, const model::Resolved& resolved,
                                const Watch& watch);

}  // namespace medley::samplers
