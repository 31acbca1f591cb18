// SPDX-License-Identifier: Apache-2.0
#include "evaluate/importance.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "core/task.hpp"
#include "kernels/pass.hpp"
#include "math/dirichlet.hpp"
#include "math/logs.hpp"

namespace medley::evaluation {

void RowObservations::gather(std::span<const families::Family* const> families, const Dataset& data,
                             std::size_t row) {
  components = families.front()->components();
  padded = families.front()->padded();
  weight.clear();
  log_scale = 0;
  total = 0;
  for (std::size_t b = 0; b < data.blocks.size(); ++b) {
    const Block& block = data.blocks[b];
    const std::size_t first = weight.size();
    for (std::uint64_t c = block.row_start[row]; c < block.row_start[row + 1]; ++c) {
      weight.push_back(static_cast<double>(block.weight_of(c)));
      total += weight.back();
    }
    rows.resize(weight.size() * padded);
    log_scale += families[b]->likelihood_rows(block, row, rows.data() + first * padded);
  }
}

namespace {

// How often memberships come from the prior.
constexpr double kFromPrior = 0.1;
// The other proposals: so much of what the row adds to the prior.
constexpr std::array<double, 4> kWidths = {1.0, 0.5, 0.25, 0.125};

// One Dirichlet of the mixture that memberships are drawn from.
struct Proposal {
  std::vector<double> shape;
  double log_factor;  // log of its share in the mixture, less its normaliser
};

// log theta, because entries below the smallest double occur (alpha of 0.01).
void draw_log_dirichlet(std::span<const double> shape, core::Rng& rng, std::vector<double>& out) {
  for (std::size_t k = 0; k < shape.size(); ++k) out[k] = rng.log_gamma(shape[k]);
  const double total = math::log_sum_exp(out);
  for (double& v : out) v -= total;
}

// log of share x density.
double log_density(const Proposal& proposal, std::span<const double> log_theta) {
  double sum = proposal.log_factor;
  for (std::size_t k = 0; k < log_theta.size(); ++k) sum += (proposal.shape[k] - 1) * log_theta[k];
  return sum;
}

std::vector<Proposal> proposals(std::span<const double> alpha, std::span<const double> gamma) {
  std::vector<Proposal> out;
  const auto add = [&](double share, double width) {
    std::vector<double> shape(alpha.begin(), alpha.end());
    for (std::size_t k = 0; k < shape.size(); ++k) shape[k] += width * (gamma[k] - alpha[k]);
    const double log_normaliser = math::log_beta(shape);
    out.push_back({std::move(shape), std::log(share) - log_normaliser});
  };
  add(kFromPrior, 0);
  for (const double width : kWidths)
    add((1 - kFromPrior) / static_cast<double>(kWidths.size()), width);
  return out;
}

}  // namespace

WeightedDraws draw_memberships(const RowObservations& row, std::span<const double> alpha,
                               std::span<const double> gamma, std::size_t samples, core::Rng rng) {
  const std::vector<Proposal> mixture = proposals(alpha, gamma);
  std::vector<double> log_theta(row.components), theta(row.padded, 0.0), norm(row.count());
  std::vector<double> density(mixture.size());
  WeightedDraws draws;
  draws.theta.reserve(samples * row.components);
  draws.log_weight.resize(samples);
  for (double& weight : draws.log_weight) {
    core::stop_if_asked();
    const std::size_t from = rng.uniform() < kFromPrior ? 0 : 1 + rng.below(mixture.size() - 1);
    draw_log_dirichlet(mixture[from].shape, rng, log_theta);
    for (std::size_t k = 0; k < row.components; ++k) theta[k] = std::exp(log_theta[k]);
    for (std::size_t j = 0; j < mixture.size(); ++j)
      density[j] = log_density(mixture[j], log_theta);
    const double prior = density[0] - std::log(kFromPrior);
    kernels::norms(row.rows.data(), row.count(), row.padded, theta.data(), norm.data());
    // An observation that this membership cannot explain at all: a weight of zero.
    for (double& n : norm) n = std::max(n, 1e-300);
    weight = kernels::sum_log(norm.data(), row.weight.data(), row.count()) + prior -
             math::log_sum_exp(density);
    draws.theta.insert(draws.theta.end(), theta.begin(),
                       theta.begin() + static_cast<std::ptrdiff_t>(row.components));
  }
  return draws;
}

RowEstimate importance(const RowObservations& row, std::span<const double> alpha,
                       std::span<const double> gamma, std::size_t samples, core::Rng rng) {
  const math::LogMean mean =
      math::log_mean(draw_memberships(row, alpha, gamma, samples, rng).log_weight);
  return {mean.value + row.log_scale, mean.standard_error, mean.effective};
}

}  // namespace medley::evaluation
