// SPDX-License-Identifier: Apache-2.0
#include "math/dirichlet.hpp"

#include <algorithm>
#include <cmath>

#include "math/descriptive.hpp"
#include "math/special.hpp"

namespace medley::math {
namespace {

constexpr int kNewtonSteps = 50;
constexpr int kHalvings = 60;

double clamped(double a) {
  return std::clamp(a, kAlphaFloor, kAlphaCap);
}

// A component at a limit whose step leads past it stays there; otherwise it would shorten the step
// of all components to nothing.
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
  using Alpha = AlphaProblem::Alpha;
  maximise_alpha({n, [&](Alpha a) { return dirichlet_objective(a, s, n); },
                  [&](Alpha a) { return dirichlet_gradient(a, s, n); },
                  [&](Alpha a, std::vector<double>& h) {
                    for (std::size_t k = 0; k < a.size(); ++k) h[k] = -n * trigamma(a[k]);
                    return n * trigamma(sum(a));
                  }},
                 alpha);
}

double fit_symmetric_dirichlet(double a, std::size_t components, double total, double n) {
  if (components < 2 || n <= 0) return a;
  const auto count = static_cast<double>(components);
  return maximise_common_alpha(
      {[&](double value) {
         return n * (log_gamma(count * value) - count * log_gamma(value)) + (value - 1.0) * total;
       },
       [&](double value) { return n * count * (digamma(count * value) - digamma(value)) + total; },
       [&](double value) {
         return n * count * (count * trigamma(count * value) - trigamma(value));
       }},
      a);
}

namespace {

// sum_t rows[t] f(x + t) for f = log, 1/. and 1/.^2.
double sum_log(std::span<const double> rows, double x) {
  double value = 0;
  for (std::size_t t = 0; t < rows.size(); ++t)
    if (rows[t] != 0) value += rows[t] * std::log(x + static_cast<double>(t));
  return value;
}
double sum_inverse(std::span<const double> rows, double x) {
  double value = 0;
  for (std::size_t t = 0; t < rows.size(); ++t) value += rows[t] / (x + static_cast<double>(t));
  return value;
}
double sum_inverse_square(std::span<const double> rows, double x) {
  double value = 0;
  for (std::size_t t = 0; t < rows.size(); ++t) {
    const double at = x + static_cast<double>(t);
    value += rows[t] / (at * at);
  }
  return value;
}

// For large alpha the curvature vanishes, so steps must be kept finite.
constexpr double kLeastNewtonCurvature = 1e-12;

}  // namespace

std::vector<double> log_rising(double x, std::size_t most) {
  std::vector<double> value(most + 1, 0.0);
  for (std::size_t t = 0; t < most; ++t)
    value[t + 1] = value[t] + std::log(x + static_cast<double>(t));
  return value;
}

double polya_objective(std::span<const double> alpha, const CountsOfCounts& counts) {
  double value = -sum_log(counts.total, sum(alpha));
  for (std::size_t k = 0; k < alpha.size(); ++k) value += sum_log(counts.component[k], alpha[k]);
  return value;
}

std::vector<double> polya_gradient(std::span<const double> alpha, const CountsOfCounts& counts) {
  const double common = sum_inverse(counts.total, sum(alpha));
  std::vector<double> g(alpha.size());
  for (std::size_t k = 0; k < alpha.size(); ++k)
    g[k] = sum_inverse(counts.component[k], alpha[k]) - common;
  return g;
}

double mixed_row_log_prior(std::span<const double> alpha) {
  const double all = sum(alpha);
  return std::log(all) - std::log1p(all);
}

void add_mixed_row(std::span<const double> alpha, CountsOfCounts& counts) {
  const double all = sum(alpha);
  for (std::size_t k = 0; k < alpha.size(); ++k) counts.component[k][0] += 2 * alpha[k] / all;
  counts.total[0] += 1;
  counts.total[1] += 1;
}

void fit_polya(std::vector<double>& alpha, const CountsOfCounts& counts) {
  using Alpha = AlphaProblem::Alpha;
  if (counts.rows() <= 0) return;
  // For a component without observations the floor is best; it has no curvature to find that by.
  for (std::size_t k = 0; k < alpha.size(); ++k) {
    const auto& rows = counts.component[k];
    if (std::ranges::all_of(rows, [](double r) { return r == 0; })) alpha[k] = kAlphaFloor;
  }
  maximise_alpha({counts.rows(), [&](Alpha a) { return polya_objective(a, counts); },
                  [&](Alpha a) { return polya_gradient(a, counts); },
                  [&](Alpha a, std::vector<double>& h) {
                    for (std::size_t k = 0; k < a.size(); ++k)
                      h[k] = -sum_inverse_square(counts.component[k], a[k]) - kLeastNewtonCurvature;
                    return sum_inverse_square(counts.total, sum(a));
                  }},
                 alpha);
}

double fit_symmetric_polya(double a, const CountsOfCounts& counts) {
  const std::size_t components = counts.component.size();
  if (components < 2 || counts.rows() <= 0) return a;
  const auto count = static_cast<double>(components);
  std::vector<double> pooled(counts.total.size(), 0.0);
  for (const auto& rows : counts.component) {
    for (std::size_t t = 0; t < rows.size(); ++t) pooled[t] += rows[t];
  }
  return maximise_common_alpha(
      {[&](double x) { return sum_log(pooled, x) - sum_log(counts.total, count * x); },
       [&](double x) {
         return sum_inverse(pooled, x) - count * sum_inverse(counts.total, count * x);
       },
       [&](double x) {
         return -sum_inverse_square(pooled, x) +
                count * count * sum_inverse_square(counts.total, count * x);
       }},
      a);
}

}  // namespace medley::math
