// SPDX-License-Identifier: Apache-2.0
// Sums, means and products of numbers that are given by their logarithms.
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

/// Replaces x by exp(x) / sum exp(x); returns log_sum_exp of what it was.
inline double softmax(std::span<double> x) {
  double largest = -std::numeric_limits<double>::infinity();
  for (const double v : x) largest = std::max(largest, v);
  double sum = 0;
  for (double& v : x) sum += (v = std::exp(v - largest));
  for (double& v : x) v /= sum;
  return largest + std::log(sum);
}

// The logarithm of the mean of numbers given by their logarithms, as estimates by drawing have it.

struct LogMean {
  double value = 0;
  double standard_error = 0;  ///< of value, by the delta method
  double effective = 0;       ///< how many equal numbers the mean is worth: (sum w)^2 / sum w^2
};

/// At least one number.
[[nodiscard]] LogMean log_mean(std::span<const double> logs);

// log prod_i x_i^w_i of many positive numbers with few logarithms: factors are multiplied as
// long as the product is far from the ends of a double.

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
  /// As often as the weight says.
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

// Logarithms of what rows hold, without what a row or a column has in common, so that they can be
// compared between rows (the double-centred log ratios of compositional data):
//
//   y_rk = log(n_rk + little),   y_rk - mean_k y_rk, and of that less its weighted mean over rows

/// `counts`: rows x columns, one weight per row. `little` > 0 keeps nothing from being infinitely
/// little.
[[nodiscard]] std::vector<double> centred_logs(std::span<const double> counts,
                                               std::span<const double> weight, double little);

}  // namespace medley::math
