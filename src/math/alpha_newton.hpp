// SPDX-License-Identifier: Apache-2.0
// Newton's method for a function of alpha_1 .. alpha_K > 0 whose Hessian is diagonal plus a
// constant, H = diag(h) + w 11'. A direction costs O(K); a line search with an ascent test makes
// sure that the function never falls (checking alpha > 0 alone does not). Where the direction does
// not ascend, the gradient in log alpha takes its place.
#pragma once

#include <functional>
#include <span>
#include <vector>

namespace medley::math {

/// A component that no row uses drives its alpha towards 0, rows that are all alike drive it to
/// infinity: both are stopped here, and the fit reports it.
inline constexpr double kAlphaFloor = 1e-6;
inline constexpr double kAlphaCap = 1e4;

struct AlphaProblem {
  using Alpha = std::span<const double>;
  double rows = 0;  ///< weighted; the scale of the gradient
  std::function<double(Alpha)> objective;
  std::function<std::vector<double>(Alpha)> gradient;
  /// Writes the diagonal h, all below 0, and returns w.
  std::function<double(Alpha, std::vector<double>& h)> curvature;
};

/// Moves alpha to a maximum; the objective never falls. At most 50 steps.
void maximise_alpha(const AlphaProblem& problem, std::vector<double>& alpha);

/// The same for one common value a.
struct CommonAlphaProblem {
  std::function<double(double)> objective, first, second;  ///< and its derivatives
};
[[nodiscard]] double maximise_common_alpha(const CommonAlphaProblem& problem, double a);

}  // namespace medley::math
