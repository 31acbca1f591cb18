// SPDX-License-Identifier: Apache-2.0
// Whether Markov chains agree, and what their draws are worth (Vehtari, Gelman, Simpson, Carpenter,
// Buerkner 2021, "Rank-normalization, folding, and localization: an improved R-hat"). Every chain
// is cut into halves, so that one that drifts disagrees with itself; draws are replaced by the
// normal scores of their ranks, so that heavy tails do no harm.
//
//   R-hat   sqrt(((n - 1) W + B) / (n W)), W and B/n the variance within and between chains of n
//   ESS     chains x draws / (1 + 2 sum_t rho_t), rho cut off by Geyer's initial monotone sequence
//   MCSE    of a mean: sd / sqrt(ESS); of a quantile: half the width of a beta interval of ranks
//
// Draws that are all the same tell nothing: R-hat is not a number, ESS their number, MCSE 0. So do
// fewer than four draws per chain: everything is not a number.
#pragma once

#include <vector>

namespace medley::math {

/// chains[c][draw], all of one length.
using Chains = std::vector<std::vector<double>>;

/// Of the ranks: do the chains lie in the same place?
[[nodiscard]] double rhat_bulk(const Chains& chains);
/// Of the distances from the median: do they spread as much?
[[nodiscard]] double rhat_folded(const Chains& chains);
/// The larger of the two; the one to report.
[[nodiscard]] double rhat(const Chains& chains);

/// Effective draws for the centre of the distribution.
[[nodiscard]] double ess_bulk(const Chains& chains);
/// For its tails: the smaller one of the 5 % and 95 % quantiles.
[[nodiscard]] double ess_tail(const Chains& chains);
[[nodiscard]] double ess_mean(const Chains& chains);
[[nodiscard]] double ess_quantile(const Chains& chains, double p);

[[nodiscard]] double mcse_mean(const Chains& chains);
[[nodiscard]] double mcse_quantile(const Chains& chains, double p);

}  // namespace medley::math
