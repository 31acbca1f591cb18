// SPDX-License-Identifier: Apache-2.0
// log prod_i x_i^w_i of many positive numbers with few logarithms: factors are multiplied as
// long as the product is far from the ends of a double.
#pragma once

#include <cmath>

namespace medley::math {

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

}  // namespace medley::math
