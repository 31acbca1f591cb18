// SPDX-License-Identifier: Apache-2.0
#include "samplers/selftest_dp.hpp"

#include <algorithm>
#include <cmath>
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

}  // namespace medley::samplers
