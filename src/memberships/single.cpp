// SPDX-License-Identifier: Apache-2.0
// Single membership: a row belongs to one component, drawn with probabilities pi (latent classes,
// naive Bayes mixtures). Exact, without iteration:
//
//   log p(x) = log sum_k pi_k prod_o l_ok        r_k = pi_k prod_o l_ok / p(x)
//
// Use it as a baseline and as a starting point. Infinite membership (Dirichlet-process mixtures) is
// the same once the parameters are drawn, except that the number of components is found too. State:
// the responsibilities r. Empty row: r = pi.
#include <algorithm>
#include <cmath>

#include "kernels/pass.hpp"
#include "kernels/special_vectors.hpp"
#include "math/logs.hpp"
#include "memberships/registry.hpp"

namespace medley::memberships {
namespace {

// An empty class keeps this share, so that its logarithm stays finite.
constexpr double kLeastClassShare = 1e-12;

class Single final : public Membership {
 public:
  Single(const MembershipEntry& entry, std::size_t components) : Membership(entry, components) {}

  void start(double, std::span<double> state) const override {
    std::copy(parameters_.begin(), parameters_.end(), state.begin());
  }

  void start(double, std::span<const double> shares, std::span<double> state) const override {
    std::copy_n(shares.begin(), state.size(), state.begin());
  }

  bool iterate(const Cells<float>& cells, const Limits&, std::span<double> state) const override {
    return responsibilities(cells, state);
  }

  bool iterate(const Cells<double>& cells, const Limits&, std::span<double> state) const override {
    return responsibilities(cells, state);
  }

  void iterate_log(const Cells<double>& cells, const Limits&,
                   std::span<double> state) const override {
    for (std::size_t k = 0; k < state.size(); ++k)
      state[k] = std::log(parameters_[k]) + cells.rows[k] +
                 (cells.offset != nullptr ? cells.offset[k] : 0.0);
    math::softmax(state);
  }

  double log_weights(std::span<const double>, std::span<double> out) const override {
    kernels::logs(parameters_.data(), out.size(), out.data());
    return 0;
  }

  void held(std::span<const double> state, std::span<double> out) const override {
    shares(state, out);
  }

  void shares(std::span<const double> state, std::span<double> out) const override {
    std::copy(state.begin(), state.end(), out.begin());
  }

  // One component, with probabilities r.
  void draw(std::span<const double> state, core::Rng& rng, std::span<double> out) const override {
    const double at = rng.uniform();
    double below = 0;
    std::size_t drawn = 0;
    for (std::size_t k = 0; k < state.size(); ++k) {
      if (state[k] > 0 && below <= at) drawn = k;
      below += state[k];
    }
    std::ranges::fill(out, 0.0);
    out[drawn] = 1;
  }

  using Membership::draw;

  void collect(std::span<const double> state, std::span<const double>, double weight,
               PriorStatistics& into) const override {
    into.rows += weight;
    for (std::size_t k = 0; k < state.size(); ++k) into.sum[k] += weight * state[k];
  }

  void maximise(const PriorStatistics& from, AlphaMode) override {
    double total = 0;
    for (std::size_t k = 0; k < components(); ++k) {
      total += parameters_[k] = std::max(from.sum[k], kLeastClassShare * from.rows);
    }
    for (double& pi : parameters_) pi /= total;
  }

  void copy_prior_from(const Membership& from) override { parameters_ = from.prior_moments().mean; }

  [[nodiscard]] bool recall(double rows, PriorStatistics& out) const override {
    out = {rows, parameters_};
    for (double& sum : out.sum) sum *= rows;
    return true;
  }

  void one_component_log_prior(double, std::span<double> out) const override {
    for (std::size_t k = 0; k < out.size(); ++k) out[k] = std::log(parameters_[k]);
  }

  // theta_k is 1 with probability pi_k, all others are then 0.
  [[nodiscard]] PriorMoments prior_moments() const override {
    PriorMoments out{parameters_, std::vector<double>(components() * components(), 0.0)};
    for (std::size_t k = 0; k < components(); ++k)
      out.product[k * components() + k] = parameters_[k];
    return out;
  }

 private:
  // One pass: with e = pi and the row's single pseudo-observation, e * g is r.
  template <class T>
  bool responsibilities(const Cells<T>& cells, std::span<double> state) const {
    T* const pi = cells.scratch;
    T* const r = pi + cells.padded;
    for (std::size_t k = 0; k < cells.padded; ++k)
      pi[k] = k < state.size() ? static_cast<T>(parameters_[k]) : T{0};
    if (cells.offset != nullptr) {
      T* const factor = r + cells.padded;
      offset_factors(cells.offset, state.size(), factor);
      for (std::size_t k = 0; k < state.size(); ++k) pi[k] *= factor[k];
    }
    const T least =
        kernels::pass(cells.rows, cells.weight, cells.count, cells.padded, pi, cells.norm, r);
    if (!(least > static_cast<T>(kLeastNorm))) return false;
    for (std::size_t k = 0; k < state.size(); ++k) state[k] = static_cast<double>(r[k]);
    return true;
  }
};

}  // namespace

const MembershipEntry single_membership = {
    .name = "single",
    .summary = "each row belongs to one component (latent classes); exact",
    .parameter = "pi",
    .create = [](std::size_t k, const RateOptions&) -> std::unique_ptr<Membership> {
      return std::make_unique<Single>(single_membership, k);
    },
    .sole = true};

const MembershipEntry infinite_membership = {
    .name = "infinite",
    .summary = "as single, with as many components as the data asks for (Dirichlet process)",
    .parameter = "pi",
    .create = [](std::size_t k, const RateOptions&) -> std::unique_ptr<Membership> {
      return std::make_unique<Single>(infinite_membership, k);
    },
    .sole = true,
    .infers_k = true};

}  // namespace medley::memberships
