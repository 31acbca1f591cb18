// SPDX-License-Identifier: Apache-2.0
#include "math/conjugate.hpp"

#include <boost/math/tools/toms748_solve.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>

#include "math/dirichlet.hpp"
#include "math/special.hpp"

namespace medley::math {

double mean_log(const GammaBelief& q) {
  return digamma(q.shape) - std::log(q.rate);
}

double divergence(const GammaBelief& q, const GammaBelief& p) {
  return (q.shape - p.shape) * digamma(q.shape) - log_gamma(q.shape) + log_gamma(p.shape) +
         p.shape * std::log(q.rate / p.rate) + q.shape * (p.rate - q.rate) / q.rate;
}

MeanLogs mean_logs(const BetaBelief& q) {
  const double both = digamma(q.a + q.b);
  return {digamma(q.a) - both, digamma(q.b) - both};
}

double divergence(const BetaBelief& q, const BetaBelief& p) {
  const auto log_beta = [](const BetaBelief& of) {
    return log_gamma(of.a) + log_gamma(of.b) - log_gamma(of.a + of.b);
  };
  const MeanLogs mean = mean_logs(q);
  return log_beta(p) - log_beta(q) + (q.a - p.a) * mean.of_x + (q.b - p.b) * mean.of_rest;
}

// The divergence of the precisions, plus the mean over precisions of the divergence of two normal
// distributions whose variances differ only by their weights.
double divergence(const NormalBelief& q, const NormalBelief& p) {
  const double ratio = p.weight / q.weight;
  const double off = q.location - p.location;
  return divergence(GammaBelief{q.shape, q.scale}, GammaBelief{p.shape, p.scale}) +
         0.5 * (ratio - 1 - std::log(ratio) + p.weight * off * off * q.shape / q.scale);
}

BetaMixture::BetaMixture(double a, double b, std::span<const double> weight)
    : a_(a), b_(b + static_cast<double>(weight.size() - 1)), above_(weight.size() - 1) {
  double above = 0;
  for (std::size_t j = above_.size(); j > 0; --j) above_[j - 1] = above += weight[j];
  log_first_ = -std::log(a_) - log_beta(std::array{a_, b_});
  // Law of total variance: the components' own variances plus the variance of their means.
  const double sum = a_ + b_;
  double square = 0;
  for (std::size_t j = 0; j < weight.size(); ++j) {
    const double mean = (a_ + static_cast<double>(j)) / sum;
    mean_ += weight[j] * mean;
    square += weight[j] * (mean * (1 - mean) / (sum + 1) + mean * mean);
  }
  variance_ = std::max(0.0, square - mean_ * mean_);
}

double BetaMixture::below(double t) const {
  if (t <= 0) return 0;
  if (t >= 1) return 1;
  const double log_odds = std::log(t) - std::log1p(-t);
  double log_term = log_first_ + a_ * std::log(t) + (b_ - 1) * std::log1p(-t);
  double sum = beta_below(a_, b_, t);
  for (std::size_t j = 0; j < above_.size(); ++j) {
    const auto count = static_cast<double>(j);
    sum -= std::exp(log_term) * above_[j];
    log_term += log_odds + std::log((b_ - count - 1) / (a_ + count + 1));
  }
  return std::clamp(sum, 0.0, 1.0);
}

double BetaMixture::quantile(double p) const {
  constexpr double kEnough = 1e-10;
  std::uintmax_t steps = 200;  // bisection alone would need 34
  const auto [low, high] = boost::math::tools::toms748_solve(
      [&](double t) { return below(t) - p; }, 0.0, 1.0, -p, 1 - p,
      [](double from, double to) { return to - from < kEnough; }, steps);
  return 0.5 * (low + high);
}

}  // namespace medley::math
