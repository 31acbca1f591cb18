// SPDX-License-Identifier: Apache-2.0
// Gamma-distributed weights of components: their scales over all rows, and the shares of a row.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "memberships/membership.hpp"

namespace medley::memberships {

// The scales of the components in non-negative matrix factorisation. A rate table
//
//   beta_vk ~ Gamma(c0/V, c0)     is     beta_vk = s_k p_vk,   s_k ~ Gamma(c0, c0),   p_k ~
//   Dirichlet(c0/V)
//
// exactly: the sum of gamma variables of one rate is independent of their proportions, in the prior
// and in the posterior Gamma(g_vk, h_k) alike. So the proportions are an ordinary table of any
// family, and only the scale belongs to the membership:
//
//   q(s_k) = Gamma(c0 + n_k, c0 + t_k)
//
// with n_k the observations that component k holds and t_k the sum over rows of its expected
// weight.

class ComponentScales {
 public:
  explicit ComponentScales(std::size_t components, double c0);

  /// E s_k and E log s_k.
  [[nodiscard]] std::span<const double> mean() const { return mean_; }
  [[nodiscard]] std::span<const double> mean_log() const { return mean_log_; }
  [[nodiscard]] double shape(std::size_t k) const { return shape_[k]; }
  [[nodiscard]] double rate(std::size_t k) const { return rate_[k]; }

  /// The posterior given n_k and t_k.
  void update(std::span<const double> held, std::span<const double> exposure);
  /// The n_k and t_k (2 K numbers) whose update gives the present posterior.
  [[nodiscard]] std::vector<double> recall() const;
  /// Sets the means in proportion to the given shares (K, sum 1), with little certainty.
  void set_shares(std::span<const double> shares);
  void set(std::size_t k, double shape, double rate);
  /// -KL(q(s) || p(s))
  [[nodiscard]] double log_prior() const;

 private:
  double c0_;
  std::vector<double> shape_, rate_, mean_, mean_log_;  // K
};

/// m log m - m: the largest log-likelihood of a Poisson count m over its mean, without -log m!.
[[nodiscard]] double poisson_constant(double m);

// Shares theta_k = w_k / sum_l w_l of independent gamma variables w_k ~ Gamma(a, rate r_k). With
// one common rate they are Dirichlet(a); with several, 1/x = int_0^inf exp(-t x) dt gives
//
//   E[theta_k]         = int a / (r_k + t)                            prod_l (r_l / (r_l + t))^a dt
//   E[theta_k theta_l] = int t a (a + [k = l]) / ((r_k + t)(r_l + t)) prod_l (r_l / (r_l + t))^a dt
//
// by the trapezoidal rule in log t, which is exact to about 1e-13 here.

/// a > 0, every rate > 0.
[[nodiscard]] PriorMoments moments_of_gamma_shares(double a, std::span<const double> rates);

}  // namespace medley::memberships
