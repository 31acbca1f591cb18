// SPDX-License-Identifier: Apache-2.0
// Gamma membership: non-negative matrix factorisation. Every row has a weight theta_k ~ Gamma(a0,
// b0) for each component, every component a scale s_k (component_scales.hpp), and the row holds a
// Poisson number of observations of each component, with mean s_k theta_k. Unlike in mixed
// membership, the number of observations of a row is informative. q(theta_k) = Gamma(a_k, b_k):
//
//   b_k = b0 + E s_k, the same for all rows       phi_ok ~ exp(E log s_k + E log theta_k) l_ok
//   a_k = a0 + sum_o w_o phi_ok                   E log theta_k = digamma(a_k) - log b_k
//   bound = sum_o w_o log sum_k exp(E log s_k + E log theta_k) l_ok
//           + sum_k { a0 log(b0 / b_k) - ln G(a0) + ln G(a_k) + (a0 - a_k) digamma(a_k) }
//
// The bound leaves out m log m - m of a row of size m, and the factorials of the counts, which
// depend only on the data; it then compares with the log-likelihood of the observations one by one.
// Membership of a row: its share of the expected observations, s_k theta_k. State: a. Empty row:
// a = a0. Parameters: shape and rate of q(s_k).
#include <algorithm>
#include <cmath>

#include "math/logs.hpp"
#include "math/special.hpp"
#include "memberships/component_scales.hpp"
#include "memberships/digamma_fixed_point.hpp"
#include "memberships/registry.hpp"

namespace medley::memberships {
namespace {

class Gamma final : public Membership {
 public:
  Gamma(std::size_t components, const RateOptions& rates)
      : Membership(gamma_membership, components, {2 * components, components, 2 * components}),
        a0_(rates.a0.value()),
        b0_(rates.b0.value()),
        scales_(components, rates.c0.value()),
        prior_(components, rates.a0.value()),
        offset_(components) {
    refresh();
  }

  void start(double m, std::span<double> state) const override {
    std::ranges::fill(state, a0_ + m / static_cast<double>(components()));
  }

  void start(double m, std::span<const double> shares, std::span<double> state) const override {
    for (std::size_t k = 0; k < state.size(); ++k) state[k] = a0_ + m * shares[k];
  }

  bool iterate(const Cells<float>& cells, const Limits& limits,
               std::span<double> state) const override {
    return digamma_fixed_point(cells, limits, prior_, offset_.data(), state);
  }

  bool iterate(const Cells<double>& cells, const Limits& limits,
               std::span<double> state) const override {
    return digamma_fixed_point(cells, limits, prior_, offset_.data(), state);
  }

  [[nodiscard]] std::optional<DigammaFixedPoint> fixed_point() const override {
    return DigammaFixedPoint{prior_, offset_};
  }

  void iterate_log(const Cells<double>& cells, const Limits& limits,
                   std::span<double> state) const override {
    digamma_fixed_point_log(cells, limits, prior_, offset_.data(), state);
  }

  double log_weights(std::span<const double> state, std::span<double> out) const override {
    double rest = 0;
    for (std::size_t k = 0; k < state.size(); ++k) {
      const double psi = math::digamma(state[k]);
      out[k] = psi + offset_[k];
      rest += a0_ * std::log(b0_ / rate(k)) - math::log_gamma(a0_) + math::log_gamma(state[k]) +
              (a0_ - state[k]) * psi;
    }
    return rest;
  }

  void held(std::span<const double> state, std::span<double> out) const override {
    double total = 0;
    for (std::size_t k = 0; k < state.size(); ++k) total += out[k] = state[k] - a0_;
    if (total > 0) {
      for (double& share : out) share /= total;
    } else {
      shares(prior_, out);
    }
  }

  void shares(std::span<const double> state, std::span<double> out) const override {
    double total = 0;
    for (std::size_t k = 0; k < state.size(); ++k)
      total += out[k] = scales_.mean()[k] * state[k] / rate(k);
    for (double& share : out) share /= total;
  }

  // In log space: with a shape far below 1 gamma draws underflow.
  void draw(std::span<const double> state, core::Rng& rng, std::span<double> out) const override {
    for (std::size_t k = 0; k < state.size(); ++k)
      out[k] = std::log(rng.gamma(state[k] + 1)) + std::log(rng.uniform()) / state[k] +
               std::log(scales_.mean()[k] / rate(k));
    math::softmax(out);
  }

  void draw(core::Rng& rng, std::span<double> out) const override {
    for (std::size_t k = 0; k < out.size(); ++k)
      out[k] = std::log(rng.gamma(a0_ + 1)) + std::log(rng.uniform()) / a0_ +
               std::log(scales_.mean()[k]);
    math::softmax(out);
  }

  void collect(std::span<const double> state, std::span<const double>, double weight,
               PriorStatistics& into) const override {
    into.rows += weight;
    for (std::size_t k = 0; k < state.size(); ++k) {
      into.sum[k] += weight * (state[k] - a0_);
      into.sum[components() + k] += weight * state[k] / rate(k);
    }
  }

  void maximise(const PriorStatistics& from, AlphaMode) override {
    const std::span<const double> sum(from.sum);
    scales_.update(sum.first(components()), sum.subspan(components()));
    refresh();
  }

  [[nodiscard]] bool recall(double rows, PriorStatistics& out) const override {
    out = {rows, scales_.recall()};
    return true;
  }

  [[nodiscard]] double log_prior() const override { return scales_.log_prior(); }

  void copy_prior_from(const Membership& from) override {
    scales_.set_shares(from.prior_moments().mean);
    refresh();
  }

  // All of a row's m observations from k: E[(s theta)^m exp(-s theta)] ~ (s_k / (b0 + s_k))^m.
  void one_component_log_prior(double m, std::span<double> out) const override {
    if (m > 0) {
      for (std::size_t k = 0; k < out.size(); ++k)
        out[k] = m * std::log(scales_.mean()[k] / rate(k));
      return;
    }
    const PriorMoments moments = prior_moments();
    for (std::size_t k = 0; k < out.size(); ++k) out[k] = std::log(moments.mean[k]);
  }

  // The shares of a row with nothing observed: theta_k ~ Gamma(a0, b0), weighted by the scales.
  [[nodiscard]] PriorMoments prior_moments() const override {
    std::vector<double> rates;
    for (const double s : scales_.mean()) rates.push_back(b0_ / s);
    return moments_of_gamma_shares(a0_, rates);
  }

  void set_parameters(std::span<const double> values) override {
    Membership::set_parameters(values);
    for (std::size_t k = 0; k < components(); ++k)
      scales_.set(k, parameters_[2 * k], parameters_[2 * k + 1]);
    refresh();
  }

  [[nodiscard]] std::vector<double> shown() const override {
    return {scales_.mean().begin(), scales_.mean().end()};
  }

 private:
  [[nodiscard]] double rate(std::size_t k) const { return b0_ + scales_.mean()[k]; }

  void refresh() {
    for (std::size_t k = 0; k < components(); ++k) {
      parameters_[2 * k] = scales_.shape(k);
      parameters_[2 * k + 1] = scales_.rate(k);
      offset_[k] = scales_.mean_log()[k] - std::log(rate(k));
    }
  }

  double a0_, b0_;
  ComponentScales scales_;
  std::vector<double> prior_;   // K times a0
  std::vector<double> offset_;  // K: E log s_k - log b_k
};

}  // namespace

const MembershipEntry gamma_membership = {
    .name = "gamma",  // not a family
    .summary = "each row holds a gamma-distributed amount of each component (Bayesian NMF)",
    .parameter = "scale",
    .create = [](std::size_t k, const RateOptions& rates) -> std::unique_ptr<Membership> {
      return std::make_unique<Gamma>(k, rates);
    },
    .averages = true,
    .counts = true,
    .empty_rows_informative = true};

}  // namespace medley::memberships
