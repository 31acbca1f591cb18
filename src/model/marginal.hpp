// SPDX-License-Identifier: Apache-2.0
// The marginal of every column: its family with one component for all rows. It is the trivial model
// that scores are compared with, and what reports call the population.
#pragma once

#include <memory>
#include <vector>

#include "families/family.hpp"
#include "medley/dataset.hpp"

namespace medley::model {

/// Without smoothing the marginals still get a little, so that no cell of a new file is impossible.
inline constexpr double kMarginalSmoothing = 0.01;

[[nodiscard]] std::unique_ptr<families::Family> fit_marginal(const Dataset& data,
                                                             const Block& block,
                                                             families::Smoothing smoothing);

/// Per slot: its (weighted) cells, the totals of levels or words.
[[nodiscard]] std::vector<double> slot_totals(const Dataset& data, const Block& block);

}  // namespace medley::model
