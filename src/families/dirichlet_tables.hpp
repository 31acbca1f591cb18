// SPDX-License-Identifier: Apache-2.0
// Tables of simplexes under Dirichlet priors: their posteriors, and the smoothing that fits.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace medley::families {

// The smoothing that fits tables of counts. Under every component k the probabilities of the R_f
// slots of feature f have the prior Dirichlet(e, .., e); with these integrated out the counts c_sk
// have the log-probability (Polya distribution; n_fk their sum over the feature)
//
//   F(e) = sum_fk [ logG(R_f e) - logG(n_fk + R_f e) + sum_s (logG(c_sk + e) - logG(e)) ]
//
// Counts may be expected ones, that is, fractions. Minka's fixed point (2000) leads to a maximum,
//
//   e <- e sum_fk sum_s [digamma(c_sk + e) - digamma(e)]
//        / sum_fk R_f [digamma(n_fk + R_f e) - digamma(R_f e)]
//
// though for fractions below 1 his proof that F grows does not hold: a step that lowers F is
// halved. Cost: two digammas and log gammas per count.
//
// Where a fraction is the mean of a count that is not known, F of the mean is far from the mean of
// F: a count that is 1 with probability c adds c (logG(1 + e) - logG(e)), about -c log e, and not c
// digamma(e), about -c / e. Then the probability P_sk that there is any is told beside it, and c_sk
// counts as P_sk times a count of c_sk / P_sk (Teh, Newman, Welling 2007).

/// Where the smoothing is stopped when tables are all alike, or every row of one level.
inline constexpr double kLeastSmoothing = 1e-6, kMostSmoothing = 1e4;

struct CountTables {
  std::span<const double> counts;             ///< slots x padded K
  std::span<const std::uint32_t> first_slot;  ///< features + 1
  std::size_t components = 0, padded = 0;
  std::span<const float> present = {};  ///< P_sk, in the layout of the counts; empty: 1
};

struct Evidence {
  double value = 0;           ///< F(e)
  double rise = 0, fall = 0;  ///< the two sums of the fixed point; dF/de = rise - fall
};
[[nodiscard]] Evidence evidence(const CountTables& tables, double e);

/// A step; F never falls. e > 0. Where there are no counts e itself.
[[nodiscard]] double better_smoothing(const CountTables& tables, double e);

// Dirichlet posteriors of K components side by side. Of one simplex under component k the posterior
// is Dirichlet(lambda_k), held as means p_sk and totals t_k, lambda_sk = p_sk t_k:
//
//   E log p_sk      = digamma(lambda_sk) - digamma(t_k)
//   -KL(q || prior) = sum_k [ lnG(sum_s a_s) - sum_s lnG(a_s) - lnG(t_k) + sum_s lnG(lambda_sk)
//                             + sum_s (a_s - lambda_sk) E log p_sk ],     prior Dirichlet(a), lnG =
//                             log Gamma
//
// Cost: a digamma per slot and component.

/// One simplex: its totals, and the rows of its slots one after the other.
class DirichletPosterior {
 public:
  /// `totals`: K numbers above 0.
  explicit DirichletPosterior(std::span<const double> totals);

  /// E log p_sk of one slot, K numbers, from its means.
  void expected_logs(const double* mean, double* out);
  /// What one slot with prior parameter a_s adds to -KL.
  [[nodiscard]] double negative_divergence(const double* mean, double prior);
  /// What the simplex as a whole adds to it; prior_total = sum_s a_s.
  [[nodiscard]] double negative_divergence(double prior_total) const;

 private:
  double lambda_of(const double* mean);  // sum_k log Gamma(lambda_k); sets lambda_ and psi_

  std::vector<double> total_, psi_total_;  // K
  double log_gamma_total_ = 0;             // summed over K
  std::vector<double> lambda_, psi_;       // K: of the slot at hand
};

}  // namespace medley::families
