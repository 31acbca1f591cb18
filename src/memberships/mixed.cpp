// SPDX-License-Identifier: Apache-2.0
// Mixed membership: every row has its own proportions theta ~ Dirichlet(alpha), and each
// observation draws a component from them (LDA, Grade of Membership, mixed-membership naive Bayes).
// Mean-field: q(theta) = Dirichlet(gamma), and with E_k = digamma(gamma_k) - digamma(gamma_0)
//
//   phi_ok ~ exp(E_k) l_ok            gamma = alpha + sum_o w_o phi_o
//   bound  = sum_o w_o log sum_k exp(E_k) l_ok + lnB(gamma) - lnB(alpha) - sum_k (gamma_k -
//   alpha_k) E_k
//
// The bound holds for any gamma; the fixed point is one of possibly several optima, so the start
// matters: gamma = alpha + m/K for every reported score. State: gamma. Empty row: gamma = alpha,
// bound 0.
//
// model/exact_estep.hpp integrates theta out without approximation.
#include <algorithm>
#include <cmath>

#include "kernels/special_vectors.hpp"
#include "math/dirichlet.hpp"
#include "math/logs.hpp"
#include "math/special.hpp"
#include "memberships/digamma_fixed_point.hpp"
#include "memberships/registry.hpp"

namespace medley::memberships {
namespace {

class Mixed final : public Membership {
 public:
  explicit Mixed(std::size_t components) : Membership(mixed_membership, components) { refresh(); }

  void set_parameters(std::span<const double> values) override {
    Membership::set_parameters(values);
    refresh();
  }

  void start(double m, std::span<double> state) const override {
    const double share = m / static_cast<double>(components());
    for (std::size_t k = 0; k < state.size(); ++k) state[k] = parameters_[k] + share;
  }

  void start(double m, std::span<const double> shares, std::span<double> state) const override {
    for (std::size_t k = 0; k < state.size(); ++k) state[k] = parameters_[k] + m * shares[k];
  }

  bool iterate(const Cells<float>& cells, const Limits& limits,
               std::span<double> state) const override {
    return digamma_fixed_point(cells, limits, parameters_, cells.offset, state);
  }

  bool iterate(const Cells<double>& cells, const Limits& limits,
               std::span<double> state) const override {
    return digamma_fixed_point(cells, limits, parameters_, cells.offset, state);
  }

  [[nodiscard]] std::optional<DigammaFixedPoint> fixed_point() const override {
    return DigammaFixedPoint{parameters_, {}};
  }

  void iterate_log(const Cells<double>& cells, const Limits& limits,
                   std::span<double> state) const override {
    digamma_fixed_point_log(cells, limits, parameters_, cells.offset, state);
  }

  double log_weights(std::span<const double> state, std::span<double> out) const override {
    const double log_gammas = kernels::digamma_log_gamma(state.data(), state.size(), out.data());
    double gamma_0 = 0;
    for (const double gamma : state) gamma_0 += gamma;
    const double common = math::digamma(gamma_0);
    double rest = log_gammas - math::log_gamma(gamma_0) - log_beta_;
    for (std::size_t k = 0; k < state.size(); ++k) {
      out[k] -= common;
      rest -= (state[k] - parameters_[k]) * out[k];
    }
    return rest;
  }

  void held(std::span<const double> state, std::span<double> out) const override {
    double total = 0;
    for (std::size_t k = 0; k < state.size(); ++k) total += out[k] = state[k] - parameters_[k];
    if (total > 0) {
      for (double& share : out) share /= total;
    } else {
      shares(parameters_, out);
    }
  }

  void shares(std::span<const double> state, std::span<double> out) const override {
    double gamma_0 = 0;
    for (const double gamma : state) gamma_0 += gamma;
    for (std::size_t k = 0; k < state.size(); ++k) out[k] = state[k] / gamma_0;
  }

  // theta ~ Dirichlet(gamma) from gamma draws in log space: with a shape far below 1 they
  // underflow.
  void draw(std::span<const double> state, core::Rng& rng, std::span<double> out) const override {
    for (std::size_t k = 0; k < state.size(); ++k)
      out[k] = std::log(rng.gamma(state[k] + 1)) + std::log(rng.uniform()) / state[k];
    math::softmax(out);
  }

  using Membership::draw;

  void collect(std::span<const double>, std::span<const double> log_weights, double weight,
               PriorStatistics& into) const override {
    into.rows += weight;
    for (std::size_t k = 0; k < log_weights.size(); ++k) into.sum[k] += weight * log_weights[k];
  }

  void maximise(const PriorStatistics& from, AlphaMode mode) override {
    if (mode == AlphaMode::fixed) return;
    if (!from.counts.empty()) {
      maximise(from.counts, mode);
    } else if (from.per_alpha) {
      follow_counts(from, mode);
    } else if (mode == AlphaMode::fitted) {
      math::fit_dirichlet(parameters_, from.sum, from.rows);
    } else {
      double total = 0;
      for (const double s : from.sum) total += s;
      const double a =
          math::fit_symmetric_dirichlet(parameters_[0], components(), total, from.rows);
      std::fill(parameters_.begin(), parameters_.end(), a);
    }
    refresh();
  }

  // At the start rows are mostly of one component, so alpha is small.
  void copy_prior_from(const Membership& from) override {
    constexpr double kAlphaPerShare = 0.5;
    parameters_ = from.prior_moments().mean;
    for (double& alpha : parameters_) alpha *= kAlphaPerShare;
    refresh();
  }

  // At the maximum alpha, the mean of E log theta_k over rows equals that under Dirichlet(alpha):
  // digamma(alpha_k) - digamma(alpha_0).
  [[nodiscard]] bool recall(double rows, PriorStatistics& out) const override {
    out = {rows, {}};
    double alpha_0 = 0;
    for (const double alpha : parameters_) alpha_0 += alpha;
    for (const double alpha : parameters_)
      out.sum.push_back(rows * (math::digamma(alpha) - math::digamma(alpha_0)));
    return true;
  }

  // E[theta_k^m], the membership integrated out: Gamma(alpha_k + m) / Gamma(alpha_k) and a factor
  // common to all.
  // B(alpha + m e_k) / B(alpha)
  void one_component_log_prior(double m, std::span<double> out) const override {
    for (std::size_t k = 0; k < out.size(); ++k) {
      const double alpha = parameters_[k];
      out[k] = m > 0 ? math::log_gamma(alpha + m) - math::log_gamma(alpha) : std::log(alpha);
    }
  }

  // E[theta_k theta_l] = (alpha_k alpha_l + [k = l] alpha_k) / (alpha_0 (alpha_0 + 1))
  [[nodiscard]] PriorMoments prior_moments() const override {
    double alpha_0 = 0;
    for (const double alpha : parameters_) alpha_0 += alpha;
    PriorMoments out;
    for (std::size_t k = 0; k < components(); ++k) {
      const double mean = parameters_[k] / alpha_0;
      out.mean.push_back(mean);
      for (std::size_t l = 0; l < components(); ++l)
        out.product.push_back(mean * (parameters_[l] + (k == l ? 1.0 : 0.0)) / (alpha_0 + 1));
    }
    return out;
  }

 private:
  // Call it whenever alpha has changed.
  void refresh() { log_beta_ = math::log_beta(parameters_); }

  // One step of Minka's fixed point for the Polya distribution at expected counts,
  //
  //   alpha_k <- sum_i alpha_k [digamma(a_ik + alpha_k) - digamma(alpha_k)]
  //            / sum_i [digamma(m_i + alpha_0) - digamma(alpha_0)]
  //
  // or its mean over k for one common alpha. The sums over some rows may be averaged with those
  // over others, because they hardly depend on the alpha at which they were computed.
  void follow_counts(const PriorStatistics& from, AlphaMode mode) {
    if (components() < 2 || !(*from.per_alpha > 0)) return;
    double all = 0;
    for (const double sum : from.sum) all += sum;
    const double mean = all / static_cast<double>(components());
    for (std::size_t k = 0; k < components(); ++k) {
      const double sum = mode == AlphaMode::symmetric ? mean : from.sum[k];
      parameters_[k] = std::clamp(sum / *from.per_alpha, math::kAlphaFloor, math::kAlphaCap);
    }
  }

  void maximise(const math::CountsOfCounts& counts, AlphaMode mode) {
    if (mode == AlphaMode::fitted) {
      math::fit_polya(parameters_, counts);
      return;
    }
    const double a = math::fit_symmetric_polya(parameters_[0], counts);
    std::fill(parameters_.begin(), parameters_.end(), a);
  }

  double log_beta_ = 0;  // log B(alpha), needed for every row
};

}  // namespace

const MembershipEntry mixed_membership = {
    .name = "mixed",
    .summary = "each row mixes the components in proportions of its own (Dirichlet)",
    .parameter = "alpha",
    .create = [](std::size_t k, const RateOptions&) -> std::unique_ptr<Membership> {
      return std::make_unique<Mixed>(k);
    },
    .dirichlet = true,
    .averages = true};

}  // namespace medley::memberships
