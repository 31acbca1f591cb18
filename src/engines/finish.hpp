// SPDX-License-Identifier: Apache-2.0
// From the best parameters to a model: components ordered by size, every row scored from the
// documented start, training totals, and a summary that says in words what degenerated.
#pragma once

#include <memory>

#include "engines/checkpoint.hpp"
#include "model/model.hpp"
#include "model/resolve.hpp"

namespace medley::engines {

/// Renumbers the components by their sizes, largest first.
void order_by_size(model::Parts& parts);
/// The same, but components that began as the classes of a label (`--init labels`) keep the order
/// of the classes: component k is class k.
void number_components(model::Parts& parts);
/// Puts into the summary what degenerated, in words.
void warn(const Course& course, model::Parts& parts);

[[nodiscard]] std::shared_ptr<model::Parts> finish(const Dataset& data,
                                                   const model::Resolved& resolved, EmModel best,
                                                   const Finished& finished);

}  // namespace medley::engines
