// SPDX-License-Identifier: Apache-2.0
// Mixed membership: every row has its own proportions theta ~ Dirichlet(alpha), and each
// observation picks a component from them (LDA, Grade of Membership, mixed-membership naive Bayes).
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
// With theta integrated out there is no approximation: see model/exact_estep.hpp.
#include <algorithm>
#include <cmath>

#include "kernels/pass.hpp"
#include "kernels/special_vectors.hpp"
#include "math/dirichlet.hpp"
#include "math/log_sum_exp.hpp"
#include "math/special.hpp"
#include "memberships/registry.hpp"

namespace medley::memberships {
namespace {

class Mixed final : public Membership {
 public:
  explicit Mixed(std::size_t components) : Membership(mixed_membership, components) {}

  void start(double m, std::span<double> state) const override {
    const double share = m / static_cast<double>(components());
    for (std::size_t k = 0; k < state.size(); ++k) state[k] = parameters_[k] + share;
  }

  bool iterate(const Cells<float>& cells, const Limits& limits,
               std::span<double> state) const override {
    return fixed_point(cells, limits, state);
  }

  bool iterate(const Cells<double>& cells, const Limits& limits,
               std::span<double> state) const override {
    return fixed_point(cells, limits, state);
  }

  void iterate_log(const Cells<double>& cells, const Limits& limits,
                   std::span<double> state) const override {
    std::vector<double> counts(components());
    std::vector<double> phi(components());
    for (std::size_t sweep = 0; sweep < limits.max_sweeps; ++sweep) {
      std::fill(counts.begin(), counts.end(), 0.0);
      for (std::size_t o = 0; o < cells.count; ++o) {
        const double* log_row = cells.rows + o * cells.padded;
        for (std::size_t k = 0; k < phi.size(); ++k) {
          phi[k] = math::digamma(state[k]) + log_row[k];
          if (cells.offset != nullptr) phi[k] += cells.offset[k];
        }
        math::softmax(phi);
        for (std::size_t k = 0; k < phi.size(); ++k) counts[k] += cells.weight[o] * phi[k];
      }
      double change = 0;
      for (std::size_t k = 0; k < state.size(); ++k) {
        const double next = parameters_[k] + counts[k];
        change = std::max(change, std::abs(next - state[k]));
        state[k] = next;
      }
      if (change < limits.tolerance * std::max(1.0, cells.total)) return;
    }
  }

  double log_weights(std::span<const double> state, std::span<double> out) const override {
    const double log_gammas = kernels::digamma_log_gamma(state.data(), state.size(), out.data());
    double gamma_0 = 0;
    for (const double gamma : state) gamma_0 += gamma;
    const double common = math::digamma(gamma_0);
    double rest = log_gammas - math::log_gamma(gamma_0) - math::log_beta(parameters_);
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

  void collect(std::span<const double>, std::span<const double> log_weights, double weight,
               PriorStatistics& into) const override {
    into.rows += weight;
    for (std::size_t k = 0; k < log_weights.size(); ++k) into.sum[k] += weight * log_weights[k];
  }

  void maximise(const PriorStatistics& from, AlphaMode mode) override {
    if (mode == AlphaMode::fixed) return;
    if (!from.counts.empty()) {
      maximise(from.counts, mode);
      return;
    }
    if (mode == AlphaMode::fitted) {
      math::fit_dirichlet(parameters_, from.sum, from.rows);
      return;
    }
    double total = 0;
    for (const double s : from.sum) total += s;
    const double a = math::fit_symmetric_dirichlet(parameters_[0], components(), total, from.rows);
    std::fill(parameters_.begin(), parameters_.end(), a);
  }

  // Where alpha is the maximum, the mean of E log theta_k over rows is what it is under
  // Dirichlet(alpha): digamma(alpha_k) - digamma(alpha_0).
  [[nodiscard]] bool recall(double rows, PriorStatistics& out) const override {
    out = {rows, {}, {}};
    double alpha_0 = 0;
    for (const double alpha : parameters_) alpha_0 += alpha;
    for (const double alpha : parameters_)
      out.sum.push_back(rows * (math::digamma(alpha) - math::digamma(alpha_0)));
    return true;
  }

  // E[theta_k^m], the membership integrated out: Gamma(alpha_k + m) / Gamma(alpha_k) and a factor
  // common to all.
  // B(alpha + m e_k) / B(alpha)
  void sole_log_weights(double m, std::span<double> out) const override {
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
  void maximise(const math::CountsOfCounts& counts, AlphaMode mode) {
    if (mode == AlphaMode::fitted) {
      math::fit_polya(parameters_, counts);
      return;
    }
    const double a = math::fit_symmetric_polya(parameters_[0], counts);
    std::fill(parameters_.begin(), parameters_.end(), a);
  }

  template <class T>
  bool fixed_point(const Cells<T>& cells, const Limits& limits, std::span<double> state) const {
    T* const gamma = cells.scratch;
    T* const e = gamma + cells.padded;
    T* const counts = e + cells.padded;
    T* const factor = counts + cells.padded;
    const std::size_t count = state.size();
    if (cells.offset != nullptr) offset_factors(cells, count, factor);
    for (std::size_t k = 0; k < count; ++k) gamma[k] = static_cast<T>(state[k]);
    const double enough = limits.tolerance * std::max(1.0, cells.total);
    for (std::size_t sweep = 0; sweep < limits.max_sweeps; ++sweep) {
      kernels::exp_digamma(gamma, count, cells.padded, e);
      if (cells.offset != nullptr) {
        for (std::size_t k = 0; k < count; ++k) e[k] *= factor[k];
      }
      const T least =
          kernels::pass(cells.rows, cells.weight, cells.count, cells.padded, e, cells.norm, counts);
      if (!(least > static_cast<T>(kLeastNorm))) return false;
      T change = 0;
      for (std::size_t k = 0; k < count; ++k) {
        const T next = static_cast<T>(parameters_[k]) + counts[k];
        change = std::max(change, std::abs(next - gamma[k]));
        gamma[k] = next;
      }
      if (static_cast<double>(change) < enough) break;
    }
    // alpha is added in double: a component without counts has gamma = alpha exactly.
    for (std::size_t k = 0; k < count; ++k) {
      state[k] = parameters_[k] + static_cast<double>(counts[k]);
    }
    return true;
  }
};

constexpr InferenceMode kModes[] = {
    {"standard", Pooling::none, false},
    {"fast", Pooling::average, false},
    {"exact", Pooling::none, true, Engine::lattice},
    {"monte-carlo", Pooling::none, true, Engine::sampling},
};

}  // namespace

const MembershipEntry mixed_membership = {
    .name = "mixed",
    .summary = "each row mixes the components in proportions of its own (Dirichlet)",
    .parameter = "alpha",
    .modes = kModes,
    .make = [](std::size_t k) -> std::unique_ptr<Membership> {
      return std::make_unique<Mixed>(k);
    }};

}  // namespace medley::memberships
