// SPDX-License-Identifier: Apache-2.0
#include "math/dirichlet.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "math/special.hpp"

namespace medley::math {
namespace {

constexpr int kNewtonSteps = 50;
constexpr int kHalvings = 60;

double sum(std::span<const double> a) {
  return std::accumulate(a.begin(), a.end(), 0.0);
}

double clamped(double a) {
  return std::clamp(a, kAlphaFloor, kAlphaCap);
}

// A component at a limit that wants to go past it is left where it is; otherwise it would shorten
// everybody's step to nothing.
bool at_limit(double alpha, double g) {
  return (alpha <= kAlphaFloor && g < 0) || (alpha >= kAlphaCap && g > 0);
}

// -H^{-1} g for H = diag(h) + w 11', h_k = -n psi'(alpha_k), w = n psi'(alpha_0). Falls back to the
// gradient in log alpha when cancellation spoils the denominator or the direction does not ascend.
std::vector<double> ascent_direction(std::span<const double> alpha, std::span<const double> g,
                                     double n) {
  const std::size_t count = alpha.size();
  const double w = n * trigamma(sum(alpha));
  double g_over_h = 0;
  double one_over_h = 0;
  std::vector<double> h(count);
  for (std::size_t k = 0; k < count; ++k) {
    if (at_limit(alpha[k], g[k])) continue;
    h[k] = -n * trigamma(alpha[k]);
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
    d[k] = at_limit(alpha[k], g[k]) ? 0.0 : alpha[k] * alpha[k] * g[k] / n;
  }
  return d;
}

// Moves alpha along d as far as F allows; false if no step ascends.
bool step(std::vector<double>& alpha, std::span<const double> d, std::span<const double> g,
          std::span<const double> s, double n) {
  const double before = dirichlet_objective(alpha, s, n);
  double t = 1.0;
  double slope = 0;
  for (std::size_t k = 0; k < d.size(); ++k) {
    if (d[k] < 0) t = std::min(t, 0.99 * alpha[k] / -d[k]);
    slope += g[k] * d[k];
  }
  std::vector<double> tried(alpha.size());
  for (int halving = 0; halving < kHalvings; ++halving, t *= 0.5) {
    for (std::size_t k = 0; k < d.size(); ++k) tried[k] = clamped(alpha[k] + t * d[k]);
    if (dirichlet_objective(tried, s, n) >= before + 1e-4 * t * slope) {
      alpha = tried;
      return true;
    }
  }
  return false;
}

}  // namespace

double log_beta(std::span<const double> a) {
  double value = -log_gamma(sum(a));
  for (const double v : a) value += log_gamma(v);
  return value;
}

double dirichlet_objective(std::span<const double> alpha, std::span<const double> s, double n) {
  double value = -n * log_beta(alpha);
  for (std::size_t k = 0; k < alpha.size(); ++k) value += (alpha[k] - 1.0) * s[k];
  return value;
}

std::vector<double> dirichlet_gradient(std::span<const double> alpha, std::span<const double> s,
                                       double n) {
  const double common = digamma(sum(alpha));
  std::vector<double> g(alpha.size());
  for (std::size_t k = 0; k < alpha.size(); ++k) g[k] = n * (common - digamma(alpha[k])) + s[k];
  return g;
}

void fit_dirichlet(std::vector<double>& alpha, std::span<const double> s, double n) {
  if (alpha.size() < 2 || n <= 0) return;
  for (int iteration = 0; iteration < kNewtonSteps; ++iteration) {
    const std::vector<double> before = alpha;
    const std::vector<double> g = dirichlet_gradient(alpha, s, n);
    if (!step(alpha, ascent_direction(alpha, g, n), g, s, n)) return;
    double change = 0;
    double largest = 0;
    for (std::size_t k = 0; k < alpha.size(); ++k) {
      change = std::max(change, std::abs(alpha[k] - before[k]));
      largest = std::max(largest, alpha[k]);
    }
    if (change < 1e-8 * (1.0 + largest)) return;
  }
}

double fit_symmetric_dirichlet(double a, std::size_t components, double total, double n) {
  if (components < 2 || n <= 0) return a;
  const auto count = static_cast<double>(components);
  const auto objective = [&](double value) {
    return n * (log_gamma(count * value) - count * log_gamma(value)) + (value - 1.0) * total;
  };
  for (int iteration = 0; iteration < kNewtonSteps; ++iteration) {
    const double first = n * count * (digamma(count * a) - digamma(a)) + total;
    const double second = n * count * (count * trigamma(count * a) - trigamma(a));
    const double slope = a * first;  // derivatives in x = log a
    const double curvature = a * a * second + slope;
    double move = curvature < 0 ? -slope / curvature : (slope > 0 ? 1.0 : -1.0);
    move = std::clamp(move, -3.0, 3.0);
    const double before = objective(a);
    double next = a;
    for (int halving = 0; halving < kHalvings; ++halving, move *= 0.5) {
      next = clamped(a * std::exp(move));
      if (objective(next) >= before) break;
      next = a;
    }
    const double change = std::abs(next - a);
    a = next;
    if (change < 1e-8 * (1.0 + a)) break;
  }
  return a;
}

}  // namespace medley::math
