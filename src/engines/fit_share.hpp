// SPDX-License-Identifier: Apache-2.0
// A fit whose rows are spread over several processes, its ranks (core/reducer.hpp).
#pragma once

#include "core/reducer.hpp"
#include "medley/fit.hpp"
#include "model/resolve.hpp"

namespace medley::engines {

/// Called by every rank at the same time, with its own rows and the same options; rank 0 has the
/// first rows, and so on. Blocks, levels and words are those of all rows on every rank. Every rank
/// gets the same model, that of a fit of all rows in one place but for rounding (equal rows are not
/// folded: what starts draw for them is theirs alone). Asked to stop on one rank, all do after the
/// iteration. Throws InputError for what cannot be fitted that way; a rank that throws leaves the
/// others waiting, so whoever runs them has to end them.
[[nodiscard]] Model fit_share(const Dataset& own, const FitOptions& options, const Hooks& hooks,
                              core::Reducer& across);
/// With options that have met all rows already; `resolved` is the same on every rank.
[[nodiscard]] Model fit_share(const Dataset& own, model::Resolved resolved, const Hooks& hooks,
                              core::Reducer& across);

}  // namespace medley::engines
