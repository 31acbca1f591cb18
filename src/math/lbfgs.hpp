// SPDX-License-Identifier: Apache-2.0
// L-BFGS: minimises a smooth function of many variables from its value and gradient. The direction
// is -H g, where H, an estimate of the inverse Hessian, is kept as the last few pairs
//
//   s = x_new - x_old,   y = g_new - g_old
//
// (Nocedal 1980, "Updating quasi-Newton matrices with limited storage"). Along the direction d the
// step t satisfies the weak Wolfe conditions
//
//   f(x + t d) <= f(x) + 1e-4 t g'd,   g(x + t d)'d >= 0.9 g'd
//
// so that s'y > 0. A value or gradient that is not finite counts as too far: a function may be
// infinite outside the region where it makes sense.
#pragma once

#include <cstddef>
#include <functional>
#include <span>

namespace medley::math {

/// Writes the gradient at x and returns the value; both have the size of x.
using ValueAndGradient =
    std::function<double(std::span<const double> x, std::span<double> gradient)>;

struct LbfgsOptions {
  std::size_t max_iterations = 200;
  /// Converged where max_j |g_j| <= gradient_tolerance * max(1, |f|). Below about 1e-8 rounding of
  /// the values may end the search before.
  double gradient_tolerance = 1e-6;
  std::size_t memory = 10;  ///< pairs, at least 1
};

/// Why the search ended.
enum class LbfgsEnd {
  small_gradient,  ///< converged
  iterations,      ///< as many as allowed
  no_lower_value,  ///< nothing lower along the gradient: rounding, or the gradient is wrong
  not_finite       ///< the value or gradient of the start is not
};

struct LbfgsResult {
  double value = 0;  ///< never above that of the start
  std::size_t iterations = 0;
  bool converged = false;
  LbfgsEnd why = LbfgsEnd::iterations;
};

/// Moves x to a minimum. The same input gives the same bits.
LbfgsResult minimise(const ValueAndGradient& function, std::span<double> x,
                     const LbfgsOptions& options = {});

}  // namespace medley::math
