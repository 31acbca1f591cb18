// SPDX-License-Identifier: Apache-2.0
#include "evaluate/importance.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "kernels/pass.hpp"
#include "math/dirichlet.hpp"
#include "math/log_sum_exp.hpp"

namespace medley::evaluation {
namespace {

constexpr double kFromPrior = 0.2;

// log theta, because entries below the smallest double occur (alpha of 0.01).
void draw_log_dirichlet(std::span<const double> shape, core::Rng& rng, std::vector<double>& out) {
  for (std::size_t k = 0; k < shape.size(); ++k) out[k] = rng.log_gamma(shape[k]);
  const double total = math::log_sum_exp(out);
  for (double& v : out) v -= total;
}

double log_density(std::span<const double> shape, double log_normaliser,
                   std::span<const double> log_theta) {
  double sum = -log_normaliser;
  for (std::size_t k = 0; k < shape.size(); ++k) sum += (shape[k] - 1) * log_theta[k];
  return sum;
}

}  // namespace

WeightedDraws draw_memberships(const RowObservations& row, std::span<const double> alpha,
                               std::span<const double> gamma, std::size_t samples, core::Rng rng) {
  const double prior_normaliser = math::log_beta(alpha), own_normaliser = math::log_beta(gamma);
  std::vector<double> log_theta(row.components), theta(row.padded, 0.0), norm(row.count());
  WeightedDraws draws;
  draws.theta.reserve(samples * row.components);
  draws.log_weight.resize(samples);
  for (double& weight : draws.log_weight) {
    draw_log_dirichlet(rng.uniform() < kFromPrior ? alpha : gamma, rng, log_theta);
    for (std::size_t k = 0; k < row.components; ++k) theta[k] = std::exp(log_theta[k]);
    const double prior = log_density(alpha, prior_normaliser, log_theta);
    const double own = log_density(gamma, own_normaliser, log_theta);
    const double proposal = math::log_sum_exp(
        std::vector<double>{std::log(kFromPrior) + prior, std::log(1 - kFromPrior) + own});
    kernels::norms(row.rows.data(), row.count(), row.padded, theta.data(), norm.data());
    // An observation that this membership cannot explain at all: a weight of zero.
    for (double& n : norm) n = std::max(n, 1e-300);
    weight = kernels::sum_log(norm.data(), row.weight.data(), row.count()) + prior - proposal;
    draws.theta.insert(draws.theta.end(), theta.begin(),
                       theta.begin() + static_cast<std::ptrdiff_t>(row.components));
  }
  return draws;
}

RowEstimate importance(const RowObservations& row, std::span<const double> alpha,
                       std::span<const double> gamma, std::size_t samples, core::Rng rng) {
  RowEstimate estimate = log_mean(draw_memberships(row, alpha, gamma, samples, rng).log_weight);
  estimate.log_likelihood += row.log_scale;
  return estimate;
}

}  // namespace medley::evaluation
