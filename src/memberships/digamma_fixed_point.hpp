// SPDX-License-Identifier: Apache-2.0
// The fixed point that Dirichlet and gamma-distributed weights share. With the prior a (K) and an
// offset c (K) that does not depend on the row,
//
//   e_k = exp(digamma(state_k) + c_k)        phi_ok ~ e_k l_ok        state = a + sum_o w_o phi_o
//
// repeated until the state converges. In mixed membership a is alpha and c the label's
// contribution; in gamma membership a is a0 and c comes from the scales of the components.
#pragma once

#include <algorithm>
#include <cmath>
#include <span>
#include <vector>

#include "kernels/digamma_sweeps.hpp"
#include "math/logs.hpp"
#include "math/special.hpp"
#include "memberships/membership.hpp"

namespace medley::memberships {

/// Once no state moves by more than this share of the row's size, the rest is extrapolated. Not in
/// float, where rounding would be extrapolated too and the order of columns would change a fit's
/// seventh digit.
template <class T>
inline constexpr double kNear = sizeof(T) == sizeof(double) ? 1e-3 : 0.0;

/// Returns false if a normaliser underflowed. `offset` may be null.
template <class T>
bool digamma_fixed_point(const Cells<T>& cells, const Limits& limits, std::span<const double> prior,
                         const double* offset, std::span<double> state) {
  // scratch: gamma, e, counts, prior, factors, two older gammas
  const std::size_t count = state.size(), padded = cells.padded;
  T* const gamma = cells.scratch;
  T* const counts = gamma + 2 * padded;
  T* const from = counts + padded;
  T* const factor = from + padded;
  std::fill(gamma, gamma + padded, T{0.5F});
  std::fill(from, from + padded, T{0.5F});
  for (std::size_t k = 0; k < count; ++k) gamma[k] = static_cast<T>(state[k]);
  for (std::size_t k = 0; k < count; ++k) from[k] = static_cast<T>(prior[k]);
  if (offset != nullptr) {
    std::fill(factor, factor + padded, T{0});
    offset_factors(offset, count, factor);
  }
  const double size = std::max(1.0, cells.total);
  const kernels::SweepRow<T> row{cells.rows,
                                 cells.weight,
                                 cells.count,
                                 count,
                                 padded,
                                 from,
                                 offset != nullptr ? factor : nullptr};
  const kernels::SweepLimits<T> until{static_cast<T>(limits.tolerance * size), limits.max_sweeps,
                                      static_cast<T>(kNear<T> * size), static_cast<T>(kLeastNorm)};
  if (!kernels::digamma_sweeps(row, until,
                               {gamma, gamma + padded, counts, cells.norm, factor + padded,
                                limits.every_component ? nullptr : cells.room, cells.columns}))
    return false;
  // The prior is added in double, so that a component without counts has exactly the prior.
  for (std::size_t k = 0; k < count; ++k) state[k] = prior[k] + static_cast<double>(counts[k]);
  return true;
}

/// The same in log space, slow and safe: cells.rows holds log-likelihoods.
inline void digamma_fixed_point_log(const Cells<double>& cells, const Limits& limits,
                                    std::span<const double> prior, const double* offset,
                                    std::span<double> state) {
  std::vector<double> counts(state.size());
  std::vector<double> phi(state.size());
  for (std::size_t sweep = 0; sweep < limits.max_sweeps; ++sweep) {
    std::fill(counts.begin(), counts.end(), 0.0);
    for (std::size_t o = 0; o < cells.count; ++o) {
      const double* log_row = cells.rows + o * cells.padded;
      for (std::size_t k = 0; k < phi.size(); ++k) {
        phi[k] = math::digamma(state[k]) + log_row[k];
        if (offset != nullptr) phi[k] += offset[k];
      }
      math::softmax(phi);
      for (std::size_t k = 0; k < phi.size(); ++k) counts[k] += cells.weight[o] * phi[k];
    }
    double change = 0;
    for (std::size_t k = 0; k < state.size(); ++k) {
      const double next = prior[k] + counts[k];
      change = std::max(change, std::abs(next - state[k]));
      state[k] = next;
    }
    if (change < limits.tolerance * std::max(1.0, cells.total)) return;
  }
}

}  // namespace medley::memberships
