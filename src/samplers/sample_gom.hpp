// SPDX-License-Identifier: Apache-2.0
// From a data set to the draws of a grade-of-membership model.
#pragma once

#include "medley/data.hpp"
#include "model/resolve.hpp"
#include "samplers/gom_model.hpp"
#include "samplers/sampled.hpp"

namespace medley::samplers {

/// What the options of a fit mean for it.
[[nodiscard]] GomOptions gom_options(const Dataset& data, const model::Resolved& resolved);

[[nodiscard]] Sampled sample_gom(const Dataset& data, const model::Resolved& resolved,
                                 const Watch& watch);

}  // namespace medley::samplers
