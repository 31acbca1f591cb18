// SPDX-License-Identifier: Apache-2.0
#include "samplers/dp_chain.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/problems.hpp"
#include "core/rng.hpp"
#include "core/task.hpp"
#include "kernels/lanes.hpp"
#include "kernels/special_vectors.hpp"
#include "medley/error.hpp"
#include "samplers/purposes.hpp"

namespace medley::samplers {

DpChain::DpChain(const DpModel& model, std::size_t number)
    : model_(model),
      number_(number),
      labels_(model.rows(), 0),
      concentration_(model.options().concentration),
      clusters_(model.data(), model.priors()),
      split_merge_(model),
      search_(model) {
  settle();
}

void DpChain::start(std::size_t clusters) {
  for (std::size_t row = 0; row < labels_.size(); ++row) {
    core::Rng rng(model_.options().seed, purpose(Purpose::start, number_, 0), row);
    const std::size_t label = clusters >= labels_.size() ? row : rng.below(clusters);
    labels_[row] = static_cast<std::uint32_t>(label);
  }
  start(std::move(labels_), model_.options().concentration);
}

void DpChain::start(Labels labels, double concentration) {
  labels_ = std::move(labels);
  concentration_ = concentration;
  sweep_ = tried_ = taken_ = 0;
  settle();
}

// What is known of the labels alone: clusters, their number and the joint.
void DpChain::settle() {
  count_ = canonical(labels_);
  clusters_.rebuild(labels_, count_);
  log_joint_ = model_.log_joint(clusters_, concentration_);
}

void DpChain::weigh(std::size_t row, Weights& out) const {
  const std::size_t count = clusters_.count();
  out.weight.resize(kernels::padded(count + 1));
  clusters_.log_weights(model_.data(), row, out.weight.data());
  out.weight[count] = std::log(concentration_) + model_.log_alone(row);
  kernels::exp_scaled(out.weight.data(), count + 1, out.weight.size(), out.weight.data());
  out.total = 0;
  for (std::size_t k = 0; k <= count; ++k) out.total += out.weight[k];
}

std::size_t DpChain::draw(std::size_t row, const Weights& weights) const {
  core::Rng rng(model_.options().seed, purpose(Purpose::rows, number_, sweep_), row);
  double left = rng.uniform() * weights.total;
  std::size_t k = 0;
  while (k < clusters_.count() && (left -= weights.weight[k]) >= 0) ++k;
  return k;
}

// To the cluster at a position, or to a new one behind the last.
void DpChain::put(std::size_t row, std::size_t k) {
  if (k == clusters_.count()) clusters_.open();
  clusters_.add(row, k);
  labels_[row] = clusters_.id(k);
}

void DpChain::step(std::size_t row) {
  const std::size_t old = clusters_.position(labels_[row]);
  const bool alone = clusters_.size(old) == 1;
  Weights& weights = known_[old % known_.size()];
  const bool out = alone || weights.moment != moment_ || weights.from != old;
  if (out) {
    clusters_.remove(row, old);
    if (alone) clusters_.close(old);
    weigh(row, weights);
    weights.moment = moment_;
    weights.from = old;
  }
  const std::size_t k = draw(row, weights);
  if (k == old && !alone) {
    if (out) clusters_.add(row, old);
    return;
  }
  if (!out) clusters_.remove(row, old);
  put(row, k);
  ++moment_;
}

void DpChain::rows() {
  constexpr std::size_t kKnown = 64;
  known_.resize(kKnown);
  std::size_t before = model_.patterns().rows;
  for (const std::uint32_t row : model_.order()) {
    core::stop_if_asked();
    if (model_.pattern(row) != before) ++moment_;
    before = model_.pattern(row);
    step(row);
  }
}

// Any start first loses the clusters that nothing speaks for.
void DpChain::search() {
  constexpr std::size_t kRough = 4, kMost = 64;
  if (sweep_ < kRough || clusters_.count() > kMost) {
    rows();
    return;
  }
  core::Rng rng(model_.options().seed, purpose(Purpose::search, number_, sweep_));
  search_.round(concentration_, rng, labels_);
}

void DpChain::sweep() {
  const Labels labels = core::may_be_stopped() ? labels_ : Labels();
  const std::size_t tried = tried_, taken = taken_;
  try {
    try_sweep();
  } catch (const Interrupted&) {
    const core::Unstoppable short_work;
    labels_ = labels;
    tried_ = tried;
    taken_ = taken;
    ++moment_;
    settle();
    throw;
  }
  const core::Unstoppable short_work;
  ++sweep_;
  settle();
  const DpOptions& options = model_.options();
  if (options.concentration_prior) {
    core::Rng rng(options.seed, purpose(Purpose::concentration, number_, sweep_));
    concentration_ = draw_concentration(concentration_, count_, labels_.size(),
                                        *options.concentration_prior, rng);
    log_joint_ = model_.log_joint(clusters_, concentration_);
  }
}

void DpChain::try_sweep() {
  const DpOptions& options = model_.options();
  if (sweep_ < options.search_rounds) {
    search();
  } else {
    rows();
    for (std::size_t i = 0; i < options.split_merges; ++i) {
      core::Rng rng(options.seed, purpose(Purpose::split_merge, number_, sweep_), i);
      ++tried_;
      if (split_merge_.move(concentration_, rng, clusters_, labels_)) ++taken_;
    }
  }
}

double DpChain::accepted() const {
  return tried_ == 0 ? 0 : static_cast<double>(taken_) / static_cast<double>(tried_);
}

void DpChain::save(core::TensorFile& file, const std::string& prefix) const {
  file.put(prefix + "labels", std::vector<std::int64_t>(labels_.begin(), labels_.end()));
  file.put(prefix + "concentration", std::vector<double>{concentration_});
  file.put(prefix + "sweep", std::vector<std::int64_t>{static_cast<std::int64_t>(sweep_)});
}

void DpChain::restore(const core::TensorFile& file, const std::string& prefix) {
  const auto& labels = file.integers(prefix + "labels", labels_.size());
  const double concentration = file.doubles(prefix + "concentration", 1)[0];
  const std::int64_t sweep = file.integers(prefix + "sweep", 1)[0];
  const auto rows = static_cast<std::int64_t>(labels.size());
  const bool fine =
      std::ranges::all_of(labels, [&](std::int64_t l) { return l >= 0 && l < rows; }) &&
      concentration > 0 && std::isfinite(concentration) && sweep >= 0;
  if (!fine)
    throw InputError({file.origin, "is no state of a chain over " + std::to_string(rows) + " rows",
                      "start again without it"});
  start(Labels(labels.begin(), labels.end()), concentration);
  sweep_ = static_cast<std::size_t>(sweep);
}

}  // namespace medley::samplers
