// SPDX-License-Identifier: Apache-2.0
// Fitting: data and options in, model out.
#pragma once

#include "medley/dataset.hpp"
#include "medley/model.hpp"
#include "medley/options.hpp"
#include "medley/stream.hpp"

namespace medley {

/// Fits a model. Throws InputError before anything is computed if the options make no sense for the
/// data, listing every objection. An interrupted fit returns the best model so far
/// (summary().termination says so) after writing the checkpoint, if one was asked for; it does not
/// score the rows any more (FitSummary::bound). Interrupted while options and data are looked at,
/// when there is no model yet and no checkpoint to write, it throws Interrupted.
[[nodiscard]] Model fit(const Dataset& data, const FitOptions& options, const Hooks& hooks = {});
/// The same, going on from the parameters of a model of the same columns and number of components
/// instead of a start of its own: one course, whatever the options say of starts and restarts.
/// Models that are sampled have starts of their own.
[[nodiscard]] Model fit(const Dataset& data, const FitOptions& options, const Model& start,
                        const Hooks& hooks = {});
/// Minibatch by minibatch (options.batch must be above 0) from rows that need not fit into memory.
/// Columns are looked at, and the start found, on a sample of the rows.
[[nodiscard]] Model fit(const RowSource& rows, const FitOptions& options, const Hooks& hooks = {});
[[nodiscard]] Model fit(const RowSource& rows, const FitOptions& options, const Model& start,
                        const Hooks& hooks = {});

}  // namespace medley
