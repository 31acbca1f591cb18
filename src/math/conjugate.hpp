// SPDX-License-Identifier: Apache-2.0
// Beliefs about a parameter that stay of their kind when data come in (conjugate distributions),
// for posteriors of tables. Each says the expectations that a likelihood needs, and how far it is
// from another of its kind,
//
//   KL(q || p) = E_q [log q - log p] >= 0,   0 only if they are the same.
//
// The Dirichlet, whose vectors are long, is in families/dirichlet_posterior.hpp.
#pragma once

namespace medley::math {

/// Gamma(shape, rate) of a rate x: density proportional to x^(shape - 1) exp(-rate x).
struct GammaBelief {
  double shape = 1, rate = 1;
};
/// E log x.
[[nodiscard]] double mean_log(const GammaBelief& q);
[[nodiscard]] double divergence(const GammaBelief& q, const GammaBelief& p);

/// Beta(a, b) of a probability x: density proportional to x^(a - 1) (1 - x)^(b - 1).
struct BetaBelief {
  double a = 1, b = 1;
};
/// E log x and E log(1 - x).
struct MeanLogs {
  double of_x = 0, of_rest = 0;
};
[[nodiscard]] MeanLogs mean_logs(const BetaBelief& q);
[[nodiscard]] double divergence(const BetaBelief& q, const BetaBelief& p);

/// Of a normal distribution: 1/variance ~ Gamma(shape, scale), mean ~ N(location, variance/weight).
struct NormalBelief {
  double location = 0, weight = 1, shape = 1, scale = 1;
};
[[nodiscard]] double divergence(const NormalBelief& q, const NormalBelief& p);

}  // namespace medley::math
