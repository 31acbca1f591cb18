// SPDX-License-Identifier: Apache-2.0
#include "math/special.hpp"

#include <cmath>

#include <boost/math/special_functions/digamma.hpp>
#include <boost/math/special_functions/trigamma.hpp>

namespace medley::math {

double digamma(double x) {
  return boost::math::digamma(x);
}

double trigamma(double x) {
  return boost::math::trigamma(x);
}

double log_gamma(double x) {
  int sign = 0;  // the plain lgamma writes a global
  return ::lgamma_r(x, &sign);
}

}  // namespace medley::math
