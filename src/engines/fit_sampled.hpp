// SPDX-License-Identifier: Apache-2.0
// Models that are sampled (`gibbs` inference): chains run, with checkpoints and progress on the
// way; what they drew becomes a model, its profiles ordered by size.
#pragma once

#include "medley/data.hpp"
#include "medley/model.hpp"
#include "medley/options.hpp"
#include "model/resolve.hpp"

namespace medley::engines {

/// `resolved.inference->draws` holds. Stopped by the hooks, it writes the checkpoint, if one was
/// asked for, and returns the model of the columns alone, interrupted: there is nothing to show
/// before the last sweep.
[[nodiscard]] Model fit_sampled(const Dataset& data, const model::Resolved& resolved,
                                const Hooks& hooks);

}  // namespace medley::engines
