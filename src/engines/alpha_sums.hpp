// SPDX-License-Identifier: Apache-2.0
// What alpha is fitted from where memberships are integrated out: over rows of expected counts a_ik
// and sizes m_i the sums of Minka's fixed point (memberships/mixed.cpp),
//
//   sum_i alpha_k P_ik [digamma(a_ik / P_ik + alpha_k) - digamma(alpha_k)]    (K)
//   sum_i [digamma(m_i + alpha_0) - digamma(alpha_0)]
//
// P_ik is the probability that the row holds anything of the component: a_ik is the mean of a count
// that is not known (families/dirichlet_tables.hpp says why it matters).
#pragma once

#include <span>
#include <vector>

#include "memberships/membership.hpp"

namespace medley::engines {

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
