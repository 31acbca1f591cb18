// SPDX-License-Identifier: Apache-2.0
#include "samplers/selftest_models.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "samplers/dp_draws.hpp"

namespace medley::samplers {

DpJoint::DpJoint(const Stage& stage, DpOptions options)
    : stage_(stage), options_(std::move(options)) {
  options_.priors = stage.priors();
}

void DpJoint::draw_forward(core::Rng& rng) {
  concentration_ = options_.concentration;
  if (options_.concentration_prior)
    concentration_ =
        rng.gamma(options_.concentration_prior->shape) / options_.concentration_prior->rate;
  std::vector<double> size;
  labels_.clear();
  for (std::size_t row = 0; row < stage_.rows(); ++row) {
    double left = rng.uniform() * (static_cast<double>(row) + concentration_);
    std::size_t k = 0;
    while (k < size.size() && (left -= size[k]) >= 0) ++k;
    if (k == size.size()) size.push_back(0);
    ++size[k];
    labels_.push_back(static_cast<std::uint32_t>(k));
  }
  count_ = size.size();
  tables_ = stage_.draw_tables(count_, rng);
  draw_cells(rng);
}

void DpJoint::draw_cells(core::Rng& rng) {
  Components own = components();
  cells_ = stage_.draw_cells(stage_.families(count_, tables_), own, rng);
}

// All observations of a row have its label.
Components DpJoint::components() const {
  Components out(stage_.observations());
  for (std::size_t row = 0; row < stage_.rows(); ++row)
    std::fill(out.begin() + static_cast<std::ptrdiff_t>(stage_.start()[row]),
              out.begin() + static_cast<std::ptrdiff_t>(stage_.start()[row + 1]),
              static_cast<std::uint16_t>(labels_[row]));
  return out;
}

// The search for a start is no part of the chain: it is left out.
void DpJoint::begin(std::uint64_t seed, bool here) {
  chain_.reset();
  DpOptions options = options_;
  options.seed = seed;
  options.search_rounds = 0;
  model_ = std::make_unique<DpModel>(cells_, std::move(options));
  chain_ = std::make_unique<DpChain>(*model_, 0);
  if (here) chain_->start(labels_, concentration_);
}

void DpJoint::sweep(bool /*tune*/) {
  chain_->sweep();
  labels_ = chain_->labels();
  concentration_ = chain_->concentration();
  DpFinite finite = dp_finite(*model_, {0, chain_->sweeps(), &labels_, concentration_}, labels_);
  count_ = finite.weight.size();  // some of them for rows that are in no cluster
  tables_ = std::move(finite.parameters);
}

std::vector<Followed> DpJoint::followed() const {
  std::vector<Followed> out = stage_.followed();
  for (const char* name : {"clusters", "their square", "rows together", "the largest cluster",
                           "clusters of one row", "log of the concentration",
                           "clusters times concentration", "log-likelihood times clusters"})
    out.push_back({name, false});
  return out;
}

std::vector<double> DpJoint::values() const {
  const double rows = static_cast<double>(stage_.rows());
  std::vector<double> share(*std::ranges::max_element(labels_) + std::size_t{1}, 0.0);
  for (const std::uint32_t label : labels_) share[label] += 1 / rows;
  std::vector<double> out =
      stage_.values(cells_, stage_.families(count_, tables_), share, components());
  const double log_likelihood = out.back(), clusters = static_cast<double>(share.size());
  double together = 0;
  for (const double part : share) together += part * part;
  const auto alone = static_cast<double>(
      std::ranges::count_if(share, [&](double part) { return part * rows < 1.5; }));
  out.insert(out.end(), {clusters, clusters * clusters, together, *std::ranges::max_element(share),
                         alone, std::log(concentration_), clusters * std::log(concentration_),
                         log_likelihood * clusters});
  return out;
}

GomJoint::GomJoint(const Stage& stage, GomOptions options)
    : stage_(stage), options_(std::move(options)) {
  options_.priors = stage.priors();
}

void GomJoint::draw_forward(core::Rng& rng) {
  draw_alpha(rng);
  state_.tables = stage_.draw_tables(options_.components, rng);
  draw_components(rng);
  draw_cells(rng);
}

// alpha_0 times a point that is uniform on the simplex.
void GomJoint::draw_alpha(core::Rng& rng) {
  state_.alpha = options_.alpha;
  if (!state_.alpha.empty()) return;
  const double alpha0 = rng.gamma(options_.alpha_prior.shape) / options_.alpha_prior.rate;
  for (std::size_t k = 0; k < options_.components; ++k) state_.alpha.push_back(rng.gamma(1));
  const double sum = std::accumulate(state_.alpha.begin(), state_.alpha.end(), 0.0);
  for (double& a : state_.alpha) a *= alpha0 / sum;
}

// theta ~ Dirichlet(alpha) by the logarithms of gamma variables, which are there where alpha is so
// small that the variables themselves are not; then z ~ theta.
void GomJoint::draw_components(core::Rng& rng) {
  state_.z.assign(stage_.observations(), 0);
  std::vector<double> theta(options_.components);
  for (std::size_t row = 0; row < stage_.rows(); ++row) {
    for (std::size_t k = 0; k < theta.size(); ++k) theta[k] = rng.log_gamma(state_.alpha[k]);
    const double most = *std::ranges::max_element(theta);
    double sum = 0;
    for (double& share : theta) sum += share = std::exp(share - most);
    for (std::size_t o = stage_.start()[row]; o < stage_.start()[row + 1]; ++o) {
      double left = rng.uniform() * sum;
      std::uint16_t k = 0;
      while (k + 1U < theta.size() && (left -= theta[k]) >= 0) ++k;
      state_.z[o] = k;
    }
  }
}

void GomJoint::draw_cells(core::Rng& rng) {
  const Families families = stage_.families(options_.components, state_.tables);
  cells_ = stage_.draw_cells(families, state_.z, rng);
}

void GomJoint::begin(std::uint64_t seed, bool here) {
  chain_.reset();
  GomOptions options = options_;
  options.seed = seed;
  model_ = std::make_unique<GomModel>(cells_, std::move(options));
  chain_ = std::make_unique<GomChain>(*model_, 0);
  if (here) chain_->start(state_);
}

void GomJoint::sweep(bool tune) {
  chain_->sweep(tune, 1);
  state_ = {chain_->alpha(), chain_->tables(), chain_->z()};
}

std::vector<Followed> GomJoint::followed() const {
  std::vector<Followed> out = stage_.followed();
  for (const char* name : {"sum of alpha", "its logarithm", "entropy of alpha", "components in use",
                           "equal components", "equal components in a row",
                           "entropy times equal in a row", "log-likelihood times alpha"})
    out.push_back({name, false});
  return out;
}

std::vector<double> GomJoint::values() const {
  const std::size_t components = options_.components;
  const std::vector<double> even(components, 1 / static_cast<double>(components));
  std::vector<double> out =
      stage_.values(cells_, stage_.families(components, state_.tables), even, state_.z);
  const double log_likelihood = out.back();
  const double alpha0 = std::accumulate(state_.alpha.begin(), state_.alpha.end(), 0.0);
  double entropy = 0;
  for (const double a : state_.alpha) entropy -= a / alpha0 * std::log(a / alpha0);
  // The chance that two observations, drawn with replacement, have the same component.
  const auto equal = [](const std::vector<double>& count) {
    double squares = 0, sum = 0;
    for (const double n : count) {
      squares += n * n;
      sum += n;
    }
    return squares / (sum * sum);
  };
  std::vector<double> all(components, 0.0);
  double in_row = 0, rows = 0;
  for (std::size_t row = 0; row < stage_.rows(); ++row) {
    const std::size_t first = stage_.start()[row], last = stage_.start()[row + 1];
    if (first == last) continue;
    std::vector<double> own(components, 0.0);
    for (std::size_t o = first; o < last; ++o) ++own[state_.z[o]];
    for (std::size_t k = 0; k < components; ++k) all[k] += own[k];
    in_row += equal(own);
    ++rows;
  }
  in_row /= rows;
  const auto used = static_cast<double>(std::ranges::count_if(all, [](double n) { return n > 0; }));
  out.insert(out.end(), {alpha0, std::log(alpha0), entropy, used, equal(all), in_row,
                         entropy * in_row, log_likelihood * alpha0});
  return out;
}

}  // namespace medley::samplers
