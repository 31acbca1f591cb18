// SPDX-License-Identifier: Apache-2.0
#include "math/alpha_newton.hpp"

#include <algorithm>
#include <cmath>

namespace medley::math {
namespace {

constexpr int kNewtonSteps = 50;
constexpr int kHalvings = 60;

double clamped(double a) {
  return std::clamp(a, kAlphaFloor, kAlphaCap);
}

// A component at a limit that wants to go past it is left where it is; otherwise it would shorten
// everybody's step to nothing.
bool at_limit(double alpha, double g) {
  return (alpha <= kAlphaFloor && g < 0) || (alpha >= kAlphaCap && g > 0);
}

// -H^{-1} g. Falls back to the gradient in log alpha when cancellation spoils the denominator or
// the direction does not ascend.
std::vector<double> ascent_direction(const AlphaProblem& problem, std::span<const double> alpha,
                                     std::span<const double> g) {
  const std::size_t count = alpha.size();
  std::vector<double> h(count);
  const double w = problem.curvature(alpha, h);
  double g_over_h = 0;
  double one_over_h = 0;
  for (std::size_t k = 0; k < count; ++k) {
    if (at_limit(alpha[k], g[k])) continue;
    g_over_h += g[k] / h[k];
    one_over_h += 1.0 / h[k];
  }
  const double denominator = 1.0 / w + one_over_h;
  std::vector<double> d(count);
  double slope = 0;
  for (std::size_t k = 0; k < count; ++k) {
    if (at_limit(alpha[k], g[k])) continue;
    d[k] = -(g[k] - g_over_h / denominator) / h[k];
    slope += g[k] * d[k];
  }
  if (denominator > 0 && slope > 0 && std::isfinite(slope)) return d;
  for (std::size_t k = 0; k < count; ++k) {
    d[k] = at_limit(alpha[k], g[k]) ? 0.0 : alpha[k] * alpha[k] * g[k] / problem.rows;
  }
  return d;
}

// Moves alpha along d as far as the objective allows; false if no step ascends.
bool step(const AlphaProblem& problem, std::vector<double>& alpha, std::span<const double> d,
          std::span<const double> g) {
  const double before = problem.objective(alpha);
  double t = 1.0;
  double slope = 0;
  for (std::size_t k = 0; k < d.size(); ++k) {
    if (d[k] < 0) t = std::min(t, 0.99 * alpha[k] / -d[k]);
    slope += g[k] * d[k];
  }
  std::vector<double> tried(alpha.size());
  for (int halving = 0; halving < kHalvings; ++halving, t *= 0.5) {
    for (std::size_t k = 0; k < d.size(); ++k) tried[k] = clamped(alpha[k] + t * d[k]);
    if (problem.objective(tried) >= before + 1e-4 * t * slope) {
      alpha = tried;
      return true;
    }
  }
  return false;
}

}  // namespace

void maximise_alpha(const AlphaProblem& problem, std::vector<double>& alpha) {
  if (alpha.size() < 2 || problem.rows <= 0) return;
  for (int iteration = 0; iteration < kNewtonSteps; ++iteration) {
    const std::vector<double> before = alpha;
    const std::vector<double> g = problem.gradient(alpha);
    if (!step(problem, alpha, ascent_direction(problem, alpha, g), g)) return;
    double change = 0;
    double largest = 0;
    for (std::size_t k = 0; k < alpha.size(); ++k) {
      change = std::max(change, std::abs(alpha[k] - before[k]));
      largest = std::max(largest, alpha[k]);
    }
    if (change < 1e-8 * (1.0 + largest)) return;
  }
}

double maximise_common_alpha(const CommonAlphaProblem& problem, double a) {
  for (int iteration = 0; iteration < kNewtonSteps; ++iteration) {
    const double slope = a * problem.first(a);  // derivatives in x = log a
    const double curvature = a * a * problem.second(a) + slope;
    double move = curvature < 0 ? -slope / curvature : (slope > 0 ? 1.0 : -1.0);
    move = std::clamp(move, -3.0, 3.0);
    const double before = problem.objective(a);
    double next = a;
    for (int halving = 0; halving < kHalvings; ++halving, move *= 0.5) {
      next = clamped(a * std::exp(move));
      if (problem.objective(next) >= before) break;
      next = a;
    }
    const double change = std::abs(next - a);
    a = next;
    if (change < 1e-8 * (1.0 + a)) break;
  }
  return a;
}

}  // namespace medley::math
