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
/// Puts into a summary that no row was scored: the bound, and the sizes that the prior expects.
void leave_unscored(model::Parts& parts);
/// Makes every component of the population; `blocks` have their marginals.
void take_marginals(std::vector<model::ModelBlock>& blocks);
/// Puts into the summary what degenerated, in words.
void warn(const Course& course, model::Parts& parts);

/// Where the last course was interrupted, or scoring is, rows are not scored: sizes are those that
/// the prior expects, and the bound is no number. Tables that were never set become those of the
/// population.
[[nodiscard]] std::shared_ptr<model::Parts> finish(const Dataset& data,
                                                   const model::Resolved& resolved, EmModel best,
                                                   const Finished& finished);

}  // namespace medley::engines
