// SPDX-License-Identifier: Apache-2.0
#include "math/polya.hpp"

#include <algorithm>
#include <cmath>

#include "math/sums.hpp"

namespace medley::math {
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

// Far out, where alpha is large, the curvature vanishes: steps must stay finite.
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

void fit_polya(std::vector<double>& alpha, const CountsOfCounts& counts) {
  using Alpha = AlphaProblem::Alpha;
  if (counts.rows() <= 0) return;
  // A component that nobody has is best at the floor; it has no curvature to find that by.
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
