// SPDX-License-Identifier: Apache-2.0
// Rising factorials of whole length from a table, for samplers that ask for millions of them:
//
//   log (a + n) (a + n + 1) .. (a + n + x - 1) = log Gamma(a + n + x) - log Gamma(a + n)
//
// Short ones are sums of tabulated logarithms, exact to the last digits; long ones differences of
// tabulated log Gammas; beyond the table both are computed.
#pragma once

#include <cstddef>
#include <vector>

#include "medley/error.hpp"

namespace medley::math {

class RisingTable {
 public:
  /// a > 0; `most`: the largest n + x that is asked for often. No table is longer than 2^20.
  RisingTable(double a, double most);

  /// log(a + n); n a whole number from 0.
  [[nodiscard]] double log_at(double n) const {
    const auto at = nearest_integer_of<std::size_t>(n);
    return at < log_.size() ? log_[at] : computed_log(n);
  }
  /// The log of the rising factorial of `length` >= 0 factors that begins at a + n.
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
