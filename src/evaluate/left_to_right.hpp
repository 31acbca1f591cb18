// SPDX-License-Identifier: Apache-2.0
// The log-likelihood of a row under a Dirichlet membership from left to right: observation by
// observation, each predicted from those before it,
//
//   p(x_o | z_<o) = sum_k l_ok (alpha_k + n_k) / (alpha_0 + o),     n counts z_<o,
//
// where z_<o is first refreshed by a Gibbs sweep given x_<o. A particle's product of predictions is
// unbiased for p(x), because every sweep leaves the posterior of z_<o as it is (annealed importance
// sampling over growing rows); particles are independent, so their spread is the standard error.
// Cost per particle: m^2 K / 2. The observations are taken in a random order, the same for all
// particles.
#pragma once

#include <cstddef>
#include <span>

#include "core/rng.hpp"
#include "evaluate/row_observations.hpp"

namespace medley::evaluation {

/// Weights must be whole numbers: an observation of weight 3 is three tokens.
[[nodiscard]] RowEstimate left_to_right(const RowObservations& row, std::span<const double> alpha,
                                        std::size_t particles, core::Rng rng);

}  // namespace medley::evaluation
