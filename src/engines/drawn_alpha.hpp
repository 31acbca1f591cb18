// SPDX-License-Identifier: Apache-2.0
// alpha by the likelihood of the rows, tables held and memberships integrated out. Expected counts
// (engines/alpha_sums.hpp) do not know how the observations of a row go together: responsibilities
// that know nothing of each other leave some of every component in every row, and alpha comes out
// too large, the more so the more components overlap. Counts that are drawn (engines/row_draws.hpp)
// do know. By Fisher's identity the slope of the log-likelihood is that of the complete data,
//
//   d/dalpha_k log p(x_i) = E[digamma(n_ik + alpha_k) - digamma(alpha_k) | x_i]
//                           - digamma(m_i + alpha_0) + digamma(alpha_0),
//
// with counts n_i drawn given the row. After every sweep of the chains the proportions of alpha
// follow Minka's fixed point, unless only some of the rows are drawn, too few to know them better
// than expected counts of all rows do. Their sum, which that would only creep towards where rows
// leave much open, takes a Newton step in log alpha_0: with g_i = sum_k alpha_k times the above
//
//   log alpha_0 += sum_i g_i / sum_i E[g_i | x_i]^2
//
// whose denominator is the information of the rows (Berndt, Hall, Hall, Hausman 1974); E[g_i | x_i]
// is a mean over sweeps. What is left at the end is the mean of log alpha over the later sweeps.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "engines/row_draws.hpp"
#include "medley/options.hpp"

namespace medley::engines {

/// From the alpha that is given, of `mode` fitted or symmetric; the chains move on. The same bits
/// at any number of threads.
[[nodiscard]] std::vector<double> drawn_alpha(RowDraws& draws, std::span<const double> alpha,
                                              AlphaMode mode, std::size_t threads);

}  // namespace medley::engines
