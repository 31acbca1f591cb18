// SPDX-License-Identifier: Apache-2.0
// A mixture of the Beta distributions with shapes (a + j, b + m - j), j = 0 .. m: what is known of
// one proportion when j of m observations are of its kind, and j itself is known up to
// probabilities. All shapes have the same sum, so their distribution functions differ by plain
// terms:
//
//   I_t(a + j + 1, b + m - j - 1) = I_t(a + j, b + m - j) - T_j,
//   T_j = t^(a+j) (1-t)^(b+m-j-1) / ((a+j) B(a+j, b+m-j)),
//   F(t) = I_t(a, b + m) - sum_j T_j P(count > j)
#pragma once

#include <span>
#include <vector>

namespace medley::math {

class BetaMixture {
 public:
  /// Shapes a > 0 and b > 0; `weight` has m + 1 entries that sum to 1.
  BetaMixture(double a, double b, std::span<const double> weight);

  [[nodiscard]] double mean() const { return mean_; }
  [[nodiscard]] double variance() const { return variance_; }
  /// P(X <= t), 0 <= t <= 1.
  [[nodiscard]] double below(double t) const;
  /// The t with P(X <= t) = p, to 1e-10; 0 < p < 1.
  [[nodiscard]] double quantile(double p) const;

 private:
  double a_, b_;               // of the component with j = 0: b + m
  std::vector<double> above_;  // m: P(count > j)
  double log_first_ = 0;       // log of 1 / (a B(a, b + m))
  double mean_ = 0, variance_ = 0;
};

}  // namespace medley::math
