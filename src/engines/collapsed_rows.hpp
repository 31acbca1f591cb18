// SPDX-License-Identifier: Apache-2.0
// Rows of a minibatch by collapsed inference with the tables held (Foulds, Boyles, DuBois, Smyth,
// Welling 2013): every row by itself repeats, cell after cell,
//
//   phi_ok ~ (a_ik - phi_ok + alpha_k) beta_rk,      a_ik = sum_o w_o phi_ok
//
// from phi = 1/K until a sweep moves little. They average a row's counts over single words with a
// step size of its own; a row that is in memory as a whole can as well go to the fixed point.
#pragma once

#include <span>
#include <vector>

#include "engines/engine.hpp"
#include "memberships/membership.hpp"

namespace medley::engines {

/// The statistics of the rows, those of the prior being the sums for alpha; in the place of the
/// bound the leave-one-out log-likelihood of the cells, sum_o w_o log p(o | the row's other cells).
void collapsed_rows(const EmData& data, const memberships::Limits& limits, EmModel& model,
                    Statistics& into);

// What alpha is fitted from where memberships are integrated out: over rows of expected counts a_ik
// and sizes m_i the sums of Minka's fixed point (memberships/mixed.cpp),
//
//   sum_i alpha_k P_ik [digamma(a_ik / P_ik + alpha_k) - digamma(alpha_k)]    (K)
//   sum_i [digamma(m_i + alpha_0) - digamma(alpha_0)]
//
// P_ik is the probability that the row holds anything of the component: a_ik is the mean of a count
// that is not known (families/dirichlet_tables.hpp says why it matters).

class AlphaSums {
 public:
  explicit AlphaSums(std::span<const double> alpha);
  /// One row; `counts` K numbers, below 0 by rounding at most; `present` P_ik.
  void add(const float* counts, const float* present, double size, double weight,
           memberships::PriorStatistics& into);

 private:
  std::vector<double> alpha_, psi_, x_, psi_x_, weight_;  // K; psi_: digamma(alpha_k)
  double alpha_0_ = 0, psi_0_ = 0;
};

/// Adds the sums of some rows to those of others.
void add_alpha_sums(const memberships::PriorStatistics& part, memberships::PriorStatistics& into);

}  // namespace medley::engines
