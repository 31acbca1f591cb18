// SPDX-License-Identifier: Apache-2.0
#include "samplers/concentration.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/problems.hpp"
#include "math/logs.hpp"

namespace medley::samplers {

double draw_concentration(double a, std::size_t clusters, std::size_t rows, const GammaPrior& prior,
                          core::Rng& rng) {
  constexpr double kLeast = 1e-100;  // its logarithm must exist
  const double n = static_cast<double>(rows), k = static_cast<double>(clusters);
  const double one = rng.gamma(a + 1), other = rng.gamma(n);
  const double rate = prior.rate + std::log1p(other / one);  // -log of one / (one + other)
  const double odds = (prior.shape + k - 1) / (n * rate);
  const double shape = prior.shape + k - (rng.uniform() * (1 + odds) < odds ? 0 : 1);
  return std::max(std::exp(rng.log_gamma(shape)) / rate, kLeast);
}

namespace {

constexpr double kAccepted = 0.35;                        // what steps are tuned to
constexpr double kFading = 0.6;                           // of the tuning
constexpr double kLeastStep = 1e-4, kMostStep = 5;        // on the log scale
constexpr double kLeastAlpha = 1e-200, kMostAlpha = 1e8;  // beyond: refused, as if impossible

}  // namespace

AlphaWalk::AlphaWalk(const GammaPrior& prior, std::size_t components)
    : prior_(prior), alpha0_(1), xi_(components, 1 / static_cast<double>(components)) {}

void AlphaWalk::set(std::span<const double> alpha) {
  alpha0_ = std::accumulate(alpha.begin(), alpha.end(), 0.0);
  xi_.assign(alpha.begin(), alpha.end());
  for (double& share : xi_) share /= alpha0_;
}

std::vector<double> AlphaWalk::alpha() const {
  std::vector<double> out = xi_;
  for (double& a : out) a *= alpha0_;
  return out;
}

double AlphaWalk::log_target(double alpha0, std::span<const double> xi,
                             const math::CountsOfCounts& counts) const {
  std::vector<double> alpha(xi.begin(), xi.end());
  for (double& a : alpha) a *= alpha0;
  return (prior_.shape - 1) * std::log(alpha0) - prior_.rate * alpha0 +
         math::polya_objective(alpha, counts);
}

void AlphaWalk::Step::tune(double log_r) {
  tuned += 1;
  const double probability = std::exp(std::min(0.0, log_r));
  size *= std::exp((probability - kAccepted) / std::pow(tuned, kFading));
  size = std::clamp(size, kLeastStep, kMostStep);
}

void AlphaWalk::move_alpha0(const math::CountsOfCounts& counts, core::Rng& rng, bool tune) {
  const double proposed = alpha0_ * std::exp(alpha0_step_.size * rng.normal());
  const double least = proposed * *std::ranges::min_element(xi_);
  const double u = rng.uniform();
  if (least < kLeastAlpha || proposed > kMostAlpha) return;
  const double log_r = log_target(proposed, xi_, counts) - log_target(alpha0_, xi_, counts) +
                       std::log(proposed / alpha0_);
  if (tune) alpha0_step_.tune(log_r);
  if (std::log(u) < log_r) alpha0_ = proposed;
}

void AlphaWalk::move_xi(const math::CountsOfCounts& counts, core::Rng& rng, bool tune) {
  if (xi_.size() < 2) return;
  std::vector<double> proposed;
  for (const double share : xi_) proposed.push_back(std::log(share) + xi_step_.size * rng.normal());
  math::softmax(proposed);
  const double u = rng.uniform();
  if (alpha0_ * *std::ranges::min_element(proposed) < kLeastAlpha) return;
  double log_r = log_target(alpha0_, proposed, counts) - log_target(alpha0_, xi_, counts);
  for (std::size_t k = 0; k < xi_.size(); ++k) log_r += std::log(proposed[k] / xi_[k]);
  if (tune) xi_step_.tune(log_r);
  if (std::log(u) < log_r) xi_ = std::move(proposed);
}

void AlphaWalk::save(core::TensorFile& file, const std::string& prefix) const {
  file.put(prefix + "alpha0", std::vector<double>{alpha0_});
  file.put(prefix + "xi", xi_);
  file.put(prefix + "steps", std::vector<double>{alpha0_step_.size, alpha0_step_.tuned,
                                                 xi_step_.size, xi_step_.tuned});
}

void AlphaWalk::restore(const core::TensorFile& file, const std::string& prefix) {
  const double alpha0 = file.doubles(prefix + "alpha0", 1)[0];
  const std::vector<double>& xi = file.doubles(prefix + "xi", xi_.size());
  const std::vector<double>& steps = file.doubles(prefix + "steps", 4);
  const auto positive = [](double x) { return x > 0 && std::isfinite(x); };
  if (!positive(alpha0) || !std::ranges::all_of(xi, positive) || !positive(steps[0]) ||
      !(steps[1] >= 0) || !positive(steps[2]) || !(steps[3] >= 0))
    throw InputError(
        {file.origin, "holds a prior of memberships that is none", "start again without it"});
  alpha0_ = alpha0;
  xi_ = xi;
  alpha0_step_ = {steps[0], steps[1]};
  xi_step_ = {steps[2], steps[3]};
}

}  // namespace medley::samplers
