// SPDX-License-Identifier: Apache-2.0
// The log-likelihood of a row under a Dirichlet membership by importance sampling: memberships are
// drawn from a mixture of the prior and of ever wider versions of the row's variational posterior
// gamma, which is too sure of itself:
//
//   q(theta) = 0.1 Dir(theta | alpha) + 0.225 sum_c Dir(theta | alpha + c (gamma - alpha)),
//   c = 1, 1/2, 1/4, 1/8
//   p(x) ~ mean of p(x | theta) Dir(theta | alpha) / q(theta),   p(x | theta) = prod_o (theta .
//   l_o)^w_o
//
// The mean is unbiased for p(x); its logarithm is too low by half the variance. The prior's share
// keeps the weights bounded.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "core/rng.hpp"
#include "evaluate/row_observations.hpp"

namespace medley::evaluation {

/// Memberships drawn from q, with their weights p(x | theta) Dir(theta | alpha) / q(theta). Draws
/// weighted by these are draws from the row's posterior.
struct WeightedDraws {
  std::vector<double> theta;       ///< samples x K
  std::vector<double> log_weight;  ///< samples
};
[[nodiscard]] WeightedDraws draw_memberships(const RowObservations& row,
                                             std::span<const double> alpha,
                                             std::span<const double> gamma, std::size_t samples,
                                             core::Rng rng);

[[nodiscard]] RowEstimate importance(const RowObservations& row, std::span<const double> alpha,
                                     std::span<const double> gamma, std::size_t samples,
                                     core::Rng rng);

}  // namespace medley::evaluation
