// SPDX-License-Identifier: Apache-2.0
#include "math/dirichlet.hpp"

#include "math/special.hpp"
#include "math/sums.hpp"

namespace medley::math {

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

}  // namespace medley::math
