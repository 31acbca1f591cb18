// SPDX-License-Identifier: Apache-2.0
// How probable it is that two rows are in one cluster, under the draws of a sampled single
// membership: the mean over all draws of sum_k t_k s_k, t and s being the probabilities of the
// draw's components for the two rows. Given weights and parameters rows are independent; where the
// draws are of the posterior (samplers/dp_draws.hpp), rows that were fitted are in one cluster as
// often as they were while they were sampled, but with less noise than the labels have.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "medley/data.hpp"
#include "medley/model.hpp"

namespace medley::evaluation {

/// Some rows with every row of the data: rows.size() x data.rows. Time: draws x rows x (cells +
/// rows.size()) x components.
[[nodiscard]] std::vector<double> co_clustering(const Model& model, const Dataset& data,
                                                std::span<const std::size_t> rows,
                                                std::size_t threads);

}  // namespace medley::evaluation
