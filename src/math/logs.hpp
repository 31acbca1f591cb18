// SPDX-License-Identifier: Apache-2.0
// Sums, means and products of numbers given by their logarithms.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <vector>

namespace medley::math {

// log sum_k exp(x_k) and softmax, without overflow.

/// -infinity for an empty or all -infinity span.
[[nodiscard]] inline double log_sum_exp(std::span<const double> x) {
  double largest = -std::numeric_limits<double>::infinity();
  for (const double v : x) largest = std::max(largest, v);
  if (!std::isfinite(largest)) return largest;
  double sum = 0;
  for (const double v : x) sum += std::exp(v - largest);
  return largest + std::log(sum);
}

/// Replaces x by exp(x) / sum exp(x); returns log_sum_exp of the old x.
inline double softmax(std::span<double> x) {
  double largest = -std::numeric_limits<double>::infinity();
  for (const double v : x) largest = std::max(largest, v);
  double sum = 0;
  for (double& v : x) sum += (v = std::exp(v - largest));
  for (double& v : x) v /= sum;
  return largest + std::log(sum);
}

// The logarithm of the mean of numbers given by their logarithms, for Monte-Carlo estimates.

struct LogMean {
  double value = 0;
  double standard_error = 0;  ///< of value, by the delta method
  double effective = 0;       ///< number of equal terms of the same precision: (sum w)^2 / sum w^2
};

/// At least one number.
[[nodiscard]] LogMean log_mean(std::span<const double> logs);

// log prod_i x_i^w_i of many positive numbers with few calls of log: factors are multiplied as long
// as the product is far from the limits of a double.

class LogProduct {
 public:
  void add(double x) {
    if (!(x > kSmall && x < kLarge)) {
      log_ += std::log(x);
      return;
    }
    product_ *= x;
    if (product_ > kSmall && product_ < kLarge) return;
    log_ += std::log(product_);
    product_ = 1;
  }
  /// Multiplies by x^weight.
  void add(double x, double weight) {
    if (weight == 1) {
      add(x);
    } else {
      log_ += weight * std::log(x);
    }
  }
  [[nodiscard]] double log() const { return log_ + std::log(product_); }

 private:
  static constexpr double kSmall = 1e-150, kLarge = 1e150;
  double log_ = 0, product_ = 1;
};

// Logarithms of the amounts in rows, centred by row and by column so that rows can be compared (the
// double-centred log ratios of compositional data):
//
//   y_rk = log(n_rk + little), then minus the mean over k, then minus the weighted mean over rows

/// `counts`: rows x columns; one weight per row. `little` > 0 avoids log(0).
[[nodiscard]] std::vector<double> centred_logs(std::span<const double> counts,
                                               std::span<const double> weight, double little);

}  // namespace medley::math
