// SPDX-License-Identifier: Apache-2.0
// The log-likelihood of a row under a Dirichlet membership from left to right: observation by
// observation, each predicted from those before it,
//
//   p(x_o | z_<o) = sum_k l_ok (alpha_k + n_k) / (alpha_0 + o),     n counts z_<o,
//
// for a cloud of particles z_<o that compete (sequential Monte Carlo): a particle's weight is the
// product of its predictions, and when too few particles matter, light ones make room for copies of
// heavy ones. The product of the mean weights is unbiased for p(x). As the row grows, Gibbs sweeps
// of z_<o given x_<o now and then keep the particles apart: every time it has grown by a quarter,
// so a particle costs about 5 m K. Several clouds run on their own; their spread is the
// standard error. The observations are taken in a random order, the same for all.
//
// With a small alpha the first few observations would choose a component for the whole row, and
// no sweep leads away from it. So particles look ahead: alpha is raised by a guide g, a fraction of
// an observation spread as the variational posterior of the whole row is, which is lowered to zero
// as the row is read. Each lowering multiplies a particle's weight by
//
//   B(alpha + g' + n) / B(alpha + g + n),     B the Dirichlet's normaliser, the first B(alpha + g)
//   / B(alpha),
//
// so the estimate is unbiased whatever the guide. A guide of several observations would hold all
// particles at one of several modes.
#pragma once

#include <cstddef>
#include <span>

#include "core/rng.hpp"
#include "evaluate/importance.hpp"

namespace medley::evaluation {

inline constexpr std::size_t kClouds = 10;

/// `particles` in all clouds together, at least two in each. Weights must be whole numbers: an
/// observation of weight 3 is three tokens. `gamma`: the variational posterior, the guide.
/// Effective draws follow from the standard error: as many as importance sampling would have with
/// that error. They are few where the clouds disagree, however many particles each has.
[[nodiscard]] RowEstimate left_to_right(const RowObservations& row, std::span<const double> alpha,
                                        std::span<const double> gamma, std::size_t particles,
                                        core::Rng rng);

}  // namespace medley::evaluation
