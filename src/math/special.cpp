// SPDX-License-Identifier: Apache-2.0
#include "math/special.hpp"

#include <boost/math/distributions/students_t.hpp>
#include <boost/math/special_functions/beta.hpp>
#include <boost/math/special_functions/digamma.hpp>
#include <boost/math/special_functions/erf.hpp>
#include <boost/math/special_functions/gamma.hpp>
#include <boost/math/special_functions/trigamma.hpp>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "medley/error.hpp"

namespace medley::math {
namespace {

namespace policies = boost::math::policies;
// No exceptions: if a series does not converge, the best value so far is good enough.
using Quiet = policies::policy<policies::evaluation_error<policies::ignore_error>,
                               policies::overflow_error<policies::ignore_error>,
                               policies::domain_error<policies::ignore_error>,
                               policies::pole_error<policies::ignore_error>>;

}  // namespace

double digamma(double x) {
  return boost::math::digamma(x, Quiet());
}

double trigamma(double x) {
  return boost::math::trigamma(x, Quiet());
}

double log_gamma(double x) {
  int sign = 0;  // the plain lgamma writes a global
  return ::lgamma_r(x, &sign);
}

double gamma_below(double shape, double x) {
  return boost::math::gamma_p(shape, x, Quiet());
}

double gamma_above(double shape, double x) {
  return boost::math::gamma_q(shape, x, Quiet());
}

double normal_deviate(double t, double free) {
  return std::sqrt(free * std::log1p(t * t / free)) * (8 * free + 1) / (8 * free + 3);
}

double beta_below(double a, double b, double x) {
  return boost::math::ibeta(a, b, x, Quiet());
}

double beta_quantile(double a, double b, double p) {
  return boost::math::ibeta_inv(a, b, p, Quiet());
}

double normal_quantile(double p) {
  return -std::numbers::sqrt2 * boost::math::erfc_inv(2 * p, Quiet());
}

double student_quantile(double p, double df) {
  return boost::math::quantile(boost::math::students_t_distribution<double, Quiet>(df), p);
}

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
