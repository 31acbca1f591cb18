// SPDX-License-Identifier: Apache-2.0
// Convergence of Markov chains and effective sample size (Vehtari, Gelman, Simpson, Carpenter,
// Buerkner 2021, "Rank-normalization, folding, and localization: an improved R-hat"). Every chain
// is split into halves, so that a drifting chain disagrees with itself; draws are replaced by the
// normal scores of their ranks, so that heavy tails do no harm.
//
//   R-hat   sqrt(((n - 1) W + B) / (n W)), W and B/n the variance within and between chains of n
//   ESS     chains x draws / (1 + 2 sum_t rho_t), rho cut off by Geyer's initial monotone sequence
//   MCSE    of a mean: sd / sqrt(ESS); of a quantile: half the width of a beta interval of ranks
//
// If all draws are equal, R-hat is NaN, ESS their number and MCSE 0. With fewer than four draws per
// chain everything is NaN.
#pragma once

#include <vector>

namespace medley::math {

/// chains[c][draw]; all chains have the same length.
using Chains = std::vector<std::vector<double>>;

/// R-hat of the ranks: whether the chains have the same location.
[[nodiscard]] double rhat_bulk(const Chains& chains);
/// R-hat of the distances from the median: whether the chains have the same spread.
[[nodiscard]] double rhat_folded(const Chains& chains);
/// The larger of the two; report this one.
[[nodiscard]] double rhat(const Chains& chains);

/// Effective draws for the centre of the distribution.
[[nodiscard]] double ess_bulk(const Chains& chains);
/// Effective draws for the tails: the smaller of those of the 5 % and 95 % quantiles.
[[nodiscard]] double ess_tail(const Chains& chains);
[[nodiscard]] double ess_mean(const Chains& chains);
[[nodiscard]] double ess_quantile(const Chains& chains, double p);

[[nodiscard]] double mcse_mean(const Chains& chains);
[[nodiscard]] double mcse_quantile(const Chains& chains, double p);

}  // namespace medley::math
