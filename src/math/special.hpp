// SPDX-License-Identifier: Apache-2.0
// Special functions of one double, accurate over the whole positive axis. For vectors inside hot
// loops use kernels/special_vectors.hpp.
#pragma once

#include <cstddef>
#include <vector>

#include "medley/error.hpp"

namespace medley::math {

/// d/dx log Gamma(x), x > 0.
[[nodiscard]] double digamma(double x);
/// d2/dx2 log Gamma(x), x > 0.
[[nodiscard]] double trigamma(double x);
/// log Gamma(x), x > 0; safe to call from several threads.
[[nodiscard]] double log_gamma(double x);
/// P(X <= x) and P(X > x) of a gamma variable with the given shape > 0 and rate 1, x >= 0: the
/// regularised incomplete gamma functions.
[[nodiscard]] double gamma_below(double shape, double x);
[[nodiscard]] double gamma_above(double shape, double x);
/// The standard normal deviate with the same tail probability as t >= 0 of Student's distribution
/// with `free` >= 1 degrees of freedom; accurate to about 1 % for 10 and more (Wallace 1959,
/// "Bounds on normal approximations to Student's and the chi-square distributions").
[[nodiscard]] double normal_deviate(double t, double free);
/// P(X <= x) of a beta variable with shapes a, b > 0, 0 <= x <= 1: the regularised incomplete beta
/// function.
[[nodiscard]] double beta_below(double a, double b, double x);
/// The quantile at probability 0 <= p <= 1 of a beta variable with shapes a, b > 0.
[[nodiscard]] double beta_quantile(double a, double b, double p);
/// The quantile at probability 0 < p < 1 of a standard normal variable.
[[nodiscard]] double normal_quantile(double p);
/// The quantile at probability 0 < p < 1 of a Student variable with df > 0 degrees of freedom.
[[nodiscard]] double student_quantile(double p, double df);

// Rising factorials of integer length from a table, for samplers that need millions of them:
//
//   log (a + n) (a + n + 1) .. (a + n + x - 1) = log Gamma(a + n + x) - log Gamma(a + n)
//
// Short ones are sums of tabulated logarithms, exact to the last digits; long ones are differences
// of tabulated log Gammas; beyond the table both are computed.

class RisingTable {
 public:
  /// a > 0; `most`: the largest n + x that is needed often. No table is longer than 2^20.
  RisingTable(double a, double most);

  /// log(a + n) for an integer n >= 0.
  [[nodiscard]] double log_at(double n) const {
    const auto at = nearest_integer_of<std::size_t>(n);
    return at < log_.size() ? log_[at] : computed_log(n);
  }
  /// The log of the rising factorial with `length` >= 0 factors that begins at a + n.
  [[nodiscard]] double log_rise(double n, double length) const;
  [[nodiscard]] double start() const { return a_; }

 private:
  [[nodiscard]] double computed_log(double n) const;
  [[nodiscard]] double log_gamma_at(double n) const;

  double a_;
  std::vector<double> log_;        // log(a + n)
  std::vector<double> log_gamma_;  // log Gamma(a + n)
};

}  // namespace medley::math
