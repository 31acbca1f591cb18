// SPDX-License-Identifier: Apache-2.0
// Conjugate distributions for posteriors of tables: beliefs about a parameter that keep their form
// when data come in. Each has the expectations that a likelihood needs, and its divergence from
// another of its form,
//
//   KL(q || p) = E_q [log q - log p] >= 0,   0 only if they are the same.
//
// The Dirichlet, whose vectors are long, is in families/dirichlet_tables.hpp.
#pragma once

#include <span>
#include <vector>

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

/// A normal distribution: 1/variance ~ Gamma(shape, scale), mean ~ N(location, variance/weight).
struct NormalBelief {
  double location = 0, weight = 1, shape = 1, scale = 1;
};
[[nodiscard]] double divergence(const NormalBelief& q, const NormalBelief& p);

// A mixture of the Beta distributions with shapes (a + j, b + m - j), j = 0 .. m: the posterior of
// a proportion when j of m observations are of its kind, with a probability for each j. All shapes
// have the same sum, so their distribution functions differ by simple terms:
//
//   I_t(a + j + 1, b + m - j - 1) = I_t(a + j, b + m - j) - T_j,
//   T_j = t^(a+j) (1-t)^(b+m-j-1) / ((a+j) B(a+j, b+m-j)),
//   F(t) = I_t(a, b + m) - sum_j T_j P(count > j)

class BetaMixture {
 public:
  /// Shapes a > 0 and b > 0; `weight` has m + 1 entries that sum to 1.
  BetaMixture(double a, double b, std::span<const double> weight);

  [[nodiscard]] double mean() const { return mean_; }
  [[nodiscard]] double variance() const { return variance_; }
  /// P(X <= t), 0 <= t <= 1.
  [[nodiscard]] double below(double t) const;
  /// The t with P(X <= t) = p, accurate to 1e-10; 0 < p < 1.
  [[nodiscard]] double quantile(double p) const;

 private:
  double a_, b_;               // of the component with j = 0: b + m
  std::vector<double> above_;  // m: P(count > j)
  double log_first_ = 0;       // log of 1 / (a B(a, b + m))
  double mean_ = 0, variance_ = 0;
};

}  // namespace medley::math
