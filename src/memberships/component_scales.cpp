// SPDX-License-Identifier: Apache-2.0
#include "memberships/component_scales.hpp"

#include <algorithm>
#include <cmath>

#include "math/special.hpp"

namespace medley::memberships {
namespace {

// The number of observations that a start counts as: enough for E log s to be near log E s.
constexpr double kStart = 100;
constexpr double kLeastScaleShare = 1e-6;

}  // namespace

ComponentScales::ComponentScales(std::size_t components, double c0)
    : c0_(c0), shape_(components), rate_(components), mean_(components), mean_log_(components) {
  set_shares(std::vector<double>(components, 1.0 / static_cast<double>(components)));
}

void ComponentScales::set(std::size_t k, double shape, double rate) {
  shape_[k] = shape;
  rate_[k] = rate;
  mean_[k] = shape / rate;
  mean_log_[k] = math::digamma(shape) - std::log(rate);
}

void ComponentScales::update(std::span<const double> held, std::span<const double> exposure) {
  for (std::size_t k = 0; k < mean_.size(); ++k) set(k, c0_ + held[k], c0_ + exposure[k]);
}

std::vector<double> ComponentScales::recall() const {
  std::vector<double> out;
  for (const double shape : shape_) out.push_back(std::max(0.0, shape - c0_));
  for (const double rate : rate_) out.push_back(std::max(0.0, rate - c0_));
  return out;
}

void ComponentScales::set_shares(std::span<const double> shares) {
  const double rate = c0_ + kStart;
  for (std::size_t k = 0; k < mean_.size(); ++k)
    set(k, rate * static_cast<double>(mean_.size()) * std::max(shares[k], kLeastScaleShare), rate);
}

double ComponentScales::log_prior() const {
  double sum = 0;
  for (std::size_t k = 0; k < mean_.size(); ++k) {
    const double entropy = shape_[k] - std::log(rate_[k]) + math::log_gamma(shape_[k]) +
                           (1 - shape_[k]) * math::digamma(shape_[k]);
    sum += c0_ * std::log(c0_) - math::log_gamma(c0_) + (c0_ - 1) * mean_log_[k] - c0_ * mean_[k] +
           entropy;
  }
  return sum;
}

double poisson_constant(double m) {
  return m > 0 ? m * std::log(m) - m : 0.0;
}

PriorMoments moments_of_gamma_shares(double a, std::span<const double> rates) {
  const std::size_t count = rates.size();
  const auto [least, most] = std::ranges::minmax_element(rates);
  // The integrand falls like t below the rates, like t^-(a K) above them: to exp(-36) of its size.
  constexpr double kDepth = 36, kStep = 0.25;
  const double below = std::log(*least) - kDepth;
  const double above = std::log(*most) + kDepth / std::min(1.0, a * static_cast<double>(count));
  PriorMoments out{std::vector<double>(count, 0.0), std::vector<double>(count * count, 0.0)};
  std::vector<double> part(count);
  for (double x = below; x <= above; x += kStep) {
    const double t = std::exp(x);
    double log_product = 0;
    for (std::size_t k = 0; k < count; ++k) {
      part[k] = t / (rates[k] + t);
      log_product -= a * std::log1p(t / rates[k]);
    }
    const double weight = kStep * std::exp(log_product);
    for (std::size_t k = 0; k < count; ++k) {
      out.mean[k] += weight * a * part[k];
      for (std::size_t l = 0; l < count; ++l)
        out.product[k * count + l] += weight * a * (a + (k == l ? 1.0 : 0.0)) * part[k] * part[l];
    }
  }
  return out;
}

}  // namespace medley::memberships
