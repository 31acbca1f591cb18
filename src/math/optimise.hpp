// SPDX-License-Identifier: Apache-2.0
// Optimisers: L-BFGS, Anderson acceleration of a fixed point, and a search over powers of a step.
#pragma once

#include <cstddef>
#include <deque>
#include <functional>
#include <initializer_list>
#include <span>
#include <vector>

namespace medley::math {

// L-BFGS: minimises a smooth function of many variables from its value and gradient. The direction
// is -H g, where the last few pairs below define H, an estimate of the inverse Hessian,
//
//   s = x_new - x_old,   y = g_new - g_old
//
// (Nocedal 1980, "Updating quasi-Newton matrices with limited storage"). Along the direction d the
// step t satisfies the weak Wolfe conditions
//
//   f(x + t d) <= f(x) + 1e-4 t g'd,   g(x + t d)'d >= 0.9 g'd
//
// so that s'y > 0. A value or gradient that is not finite counts as a step too far: a function may
// be infinite outside the region where it is defined.

/// Writes the gradient at x and returns the value; both have the size of x.
using ValueAndGradient =
    std::function<double(std::span<const double> x, std::span<double> gradient)>;

struct LbfgsOptions {
  std::size_t max_iterations = 200;
  /// Converged if max_j |g_j| <= gradient_tolerance * max(1, |f|). Below about 1e-8, rounding of
  /// the values may end the search first.
  double gradient_tolerance = 1e-6;
  std::size_t memory = 10;  ///< pairs, at least 1
};

/// Why the search ended.
enum class LbfgsEnd {
  small_gradient,  ///< converged
  iterations,      ///< the limit is reached
  no_lower_value,  ///< no lower value along the gradient: rounding, or the gradient is wrong
  not_finite       ///< the value or gradient of the start is not finite
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

// Anderson acceleration of a fixed-point iteration x -> g(x): from the last few pairs, the point
// where the residual f = g(x) - x would vanish if it were linear,
//
//   next = g - sum_j c_j (g_j+1 - g_j),    c = argmin |f - sum_j c_j (f_j+1 - f_j)|

class Anderson {
 public:
  explicit Anderson(std::size_t order) : order_(order) {}

  struct Pair {
    std::vector<double> x, g;
  };

  void add(std::vector<double> x, std::vector<double> g);
  void clear() { pairs_.clear(); }
  /// At least two pairs are needed.
  [[nodiscard]] bool ready() const { return pairs_.size() > 1; }
  [[nodiscard]] std::vector<double> next() const;
  /// Oldest first; at most order + 1.
  [[nodiscard]] const std::deque<Pair>& pairs() const { return pairs_; }

 private:
  std::size_t order_;
  std::deque<Pair> pairs_;
};

// A search over powers of a step, for a scale with an expensive objective and no derivative.

/// The power of `step` (above 1) at which `value` is largest: searches from 1 upwards as long as
/// the value grows, or else downwards; at most `most` steps.
template <class Value>
[[nodiscard]] double best_power(double step, int most, const Value& value) {
  double best_factor = 1;
  double best = value(1.0);
  for (const double times : {step, 1 / step}) {
    double factor = times;
    for (int i = 0; i < most; ++i, factor *= times) {
      const double there = value(factor);
      if (there <= best) break;
      best = there;
      best_factor = factor;
    }
    if (best_factor != 1) break;  // it went up: no need to try the other way
  }
  return best_factor;
}

}  // namespace medley::math
