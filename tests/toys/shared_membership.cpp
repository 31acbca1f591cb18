// SPDX-License-Identifier: Apache-2.0
// A toy membership, in one file: all rows have the same proportions pi, and each observation picks
// a component from them. A row's likelihood is exact, without iteration:
//
//   log p(x) = sum_o w_o log sum_k pi_k l_ok        phi_ok ~ pi_k l_ok        pi_k ~ sum w phi_k
//
// State: sum_o w_o phi_o. Its share of the observations is what a row is shown to hold. Empty row:
// pi.
#include "toys/toys.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "kernels/pass.hpp"
#include "math/logs.hpp"

namespace medley::test {
namespace {

using namespace memberships;

class Shared final : public Membership {
 public:
  explicit Shared(std::size_t components) : Membership(shared_membership, components) {}

  void set_parameters(std::span<const double> values) override {
    Membership::set_parameters(values);
    const double total = std::accumulate(values.begin(), values.end(), 0.0);
    if (std::abs(total - 1) < 1e-9) return;
    for (double& pi : parameters_) pi /= total;
  }

  void start(double m, std::span<double> state) const override { start(m, parameters_, state); }

  void start(double m, std::span<const double> shares, std::span<double> state) const override {
    for (std::size_t k = 0; k < state.size(); ++k) state[k] = m * shares[k];
  }

  bool iterate(const Cells<float>& cells, const Limits&, std::span<double> state) const override {
    return counts(cells, state);
  }

  bool iterate(const Cells<double>& cells, const Limits&, std::span<double> state) const override {
    return counts(cells, state);
  }

  void iterate_log(const Cells<double>& cells, const Limits&,
                   std::span<double> state) const override {
    std::ranges::fill(state, 0.0);
    std::vector<double> phi(state.size());
    for (std::size_t o = 0; o < cells.count; ++o) {
      for (std::size_t k = 0; k < phi.size(); ++k)
        phi[k] = std::log(parameters_[k]) + cells.rows[o * cells.padded + k];
      math::softmax(phi);
      for (std::size_t k = 0; k < phi.size(); ++k) state[k] += cells.weight[o] * phi[k];
    }
  }

  double log_weights(std::span<const double>, std::span<double> out) const override {
    for (std::size_t k = 0; k < out.size(); ++k) out[k] = std::log(parameters_[k]);
    return 0;
  }

  void held(std::span<const double> state, std::span<double> out) const override {
    const double total = std::accumulate(state.begin(), state.end(), 0.0);
    for (std::size_t k = 0; k < out.size(); ++k)
      out[k] = total > 0 ? state[k] / total : parameters_[k];
  }

  void shares(std::span<const double> state, std::span<double> out) const override {
    held(state, out);
  }

  void draw(std::span<const double> state, core::Rng&, std::span<double> out) const override {
    held(state, out);
  }

  using Membership::draw;

  void collect(std::span<const double> state, std::span<const double>, double weight,
               PriorStatistics& into) const override {
    into.rows += weight;
    for (std::size_t k = 0; k < state.size(); ++k) into.sum[k] += weight * state[k];
  }

  void maximise(const PriorStatistics& from, AlphaMode) override {
    constexpr double kLeast = 1e-12;
    const double total = std::accumulate(from.sum.begin(), from.sum.end(), 0.0);
    std::vector<double> pi;
    for (const double sum : from.sum) pi.push_back(std::max(sum / total, kLeast));
    set_parameters(pi);
  }

  void copy_prior_from(const Membership& from) override {
    set_parameters(from.prior_moments().mean);
  }

  [[nodiscard]] bool recall(double rows, PriorStatistics& out) const override {
    out = {rows, parameters_};
    for (double& sum : out.sum) sum *= rows;
    return true;
  }

  void one_component_log_prior(double m, std::span<double> out) const override {
    for (std::size_t k = 0; k < out.size(); ++k)
      out[k] = std::max(m, 1.0) * std::log(parameters_[k]);
  }

  [[nodiscard]] PriorMoments prior_moments() const override {
    PriorMoments out{parameters_, {}};
    for (const double a : parameters_) {
      for (const double b : parameters_) out.product.push_back(a * b);
    }
    return out;
  }

 private:
  template <class T>
  bool counts(const Cells<T>& cells, std::span<double> state) const {
    T* const pi = cells.scratch;
    T* const sums = pi + cells.padded;
    for (std::size_t k = 0; k < cells.padded; ++k)
      pi[k] = k < state.size() ? static_cast<T>(parameters_[k]) : T{0};
    const T least =
        kernels::pass(cells.rows, cells.weight, cells.count, cells.padded, pi, cells.norm, sums);
    if (!(least > static_cast<T>(kLeastNorm))) return false;
    for (std::size_t k = 0; k < state.size(); ++k) state[k] = static_cast<double>(sums[k]);
    return true;
  }
};

}  // namespace

const MembershipEntry shared_membership = {
    .name = "shared",
    .summary = "all rows mix the components in the same proportions",
    .parameter = "pi",
    .create = [](std::size_t k, const RateOptions&) -> std::unique_ptr<Membership> {
      return std::make_unique<Shared>(k);
    }};

}  // namespace medley::test
