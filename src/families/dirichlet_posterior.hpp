// SPDX-License-Identifier: Apache-2.0
// Dirichlet posteriors of K components side by side. Of one simplex under component k the posterior
// is Dirichlet(lambda_k), held as means p_sk and totals t_k, lambda_sk = p_sk t_k:
//
//   E log p_sk      = digamma(lambda_sk) - digamma(t_k)
//   -KL(q || prior) = sum_k [ lnG(sum_s a_s) - sum_s lnG(a_s) - lnG(t_k) + sum_s lnG(lambda_sk)
//                             + sum_s (a_s - lambda_sk) E log p_sk ],     prior Dirichlet(a), lnG =
//                             log Gamma
//
// Cost: a digamma per slot and component.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace medley::families {

/// One simplex: its totals, and the rows of its slots one after the other.
class DirichletPosterior {
 public:
  /// `totals`: K numbers above 0.
  explicit DirichletPosterior(std::span<const double> totals);

  /// E log p_sk of one slot, K numbers, from its means.
  void expected_logs(const double* mean, double* out);
  /// What one slot with prior parameter a_s adds to -KL.
  [[nodiscard]] double closeness(const double* mean, double prior);
  /// What the simplex as a whole adds to it; prior_total = sum_s a_s.
  [[nodiscard]] double closeness(double prior_total) const;

 private:
  double lambda_of(const double* mean);  // sum_k log Gamma(lambda_k); sets lambda_ and psi_

  std::vector<double> total_, psi_total_;  // K
  double log_gamma_total_ = 0;             // summed over K
  std::vector<double> lambda_, psi_;       // K: of the slot at hand
};

}  // namespace medley::families
