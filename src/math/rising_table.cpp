// SPDX-License-Identifier: Apache-2.0
#include "math/rising_table.hpp"

#include <algorithm>
#include <cmath>

#include "math/special.hpp"
#include "medley/error.hpp"

namespace medley::math {
namespace {

constexpr double kLongest = 1 << 20;
constexpr double kShort = 8;  // factors that are added one by one

}  // namespace

RisingTable::RisingTable(double a, double most) : a_(a) {
  const auto size = nearest_integer_of<std::size_t>(std::clamp(most + 1, 16.0, kLongest));
  for (std::size_t n = 0; n < size; ++n) {
    log_.push_back(std::log(a + static_cast<double>(n)));
    log_gamma_.push_back(log_gamma(a + static_cast<double>(n)));
  }
}

double RisingTable::computed_log(double n) const {
  return std::log(a_ + n);
}

double RisingTable::log_gamma_at(double n) const {
  const auto at = nearest_integer_of<std::size_t>(n);
  return at < log_gamma_.size() ? log_gamma_[at] : log_gamma(a_ + n);
}

double RisingTable::log_rise(double n, double length) const {
  if (length > kShort) return log_gamma_at(n + length) - log_gamma_at(n);
  double sum = 0;
  for (double t = 0; t < length; ++t) sum += log_at(n + t);
  return sum;
}

}  // namespace medley::math
