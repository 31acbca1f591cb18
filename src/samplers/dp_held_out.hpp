// SPDX-License-Identifier: Apache-2.0
// The log predictive of new rows under draws of a Dirichlet-process mixture: of each row the log of
// the mean over draws of
//
//   p(row | draw) = sum_k n_k / (n + a) p(row | rows of k) + a / (n + a) p(row)
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "math/logs.hpp"
#include "medley/data.hpp"
#include "samplers/dp_model.hpp"

namespace medley::samplers {

/// One row's log predictive under the clusters of one draw; base measure included.
[[nodiscard]] double dp_log_predictive(const DpModel& model, const Clusters& clusters,
                                       double concentration, const Dataset& data, std::size_t row);

/// Every row of `data` (columns as in the model's): labels[d] with concentration[d] are the draws,
/// at least one. Standard errors take the draws for independent.
[[nodiscard]] std::vector<math::LogMean> dp_held_out(const DpModel& model,
                                                     std::span<const Labels> labels,
                                                     std::span<const double> concentration,
                                                     const Dataset& data, std::size_t threads);

}  // namespace medley::samplers
