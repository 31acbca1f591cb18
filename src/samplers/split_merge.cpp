// SPDX-License-Identifier: Apache-2.0
#include "samplers/split_merge.hpp"

#include <cmath>

#include "math/special.hpp"

namespace medley::samplers {

SplitMerge::SplitMerge(const DpModel& model)
    : model_(model), sides_(model.data(), model.priors()) {}

bool SplitMerge::move(double concentration, core::Rng& rng, Clusters& clusters, Labels& labels) {
  pick(labels, rng);
  launch(rng);
  const bool together = labels[anchor_[0]] == labels[anchor_[1]];
  const double log_q = scan(together ? &rng : nullptr);
  const double log_r = log_gain(concentration) - log_q;
  if (!(std::log(rng.uniform()) < (together ? log_r : -log_r))) return false;
  if (together) {
    split(clusters, labels);
  } else {
    merge(clusters, labels);
  }
  return true;
}

// Any two rows are as likely.
void SplitMerge::pick(const Labels& labels, core::Rng& rng) {
  anchor_[0] = rng.below(labels.size());
  anchor_[1] = rng.below(labels.size() - 1);
  if (anchor_[1] >= anchor_[0]) ++anchor_[1];
  const std::uint32_t first = labels[anchor_[0]], second = labels[anchor_[1]];
  others_.clear();
  own_.clear();
  for (std::size_t row = 0; row < labels.size(); ++row) {
    if ((labels[row] != first && labels[row] != second) || row == anchor_[0] || row == anchor_[1])
      continue;
    others_.push_back(row);
    own_.push_back(labels[row] == first ? 0 : 1);
  }
}

// Dealt one after the other, each given the rows that picked it and those dealt before: halves at
// random would be alike, and take many scans to come apart.
void SplitMerge::launch(core::Rng& rng) {
  sides_.rebuild({}, 2);
  sides_.add(anchor_[0], 0);
  sides_.add(anchor_[1], 1);
  side_.assign(others_.size(), 0);
  for (std::size_t i = 0; i < others_.size(); ++i) deal(i, &rng);
  for (std::size_t i = 0; i < model_.options().launch_scans; ++i) scan(&rng);
}

double SplitMerge::scan(core::Rng* rng) {
  double log_q = 0;
  for (std::size_t i = 0; i < others_.size(); ++i) {
    sides_.remove(others_[i], side_[i]);
    log_q += deal(i, rng);
  }
  return log_q;
}

// Draws a row to a side given the rows that are there; or, without random numbers, puts it where it
// is in fact. Returns the log probability of what it did.
double SplitMerge::deal(std::size_t i, core::Rng* rng) {
  double log_weight[2];
  sides_.log_weights(model_.data(), others_[i], log_weight);
  // log p of the first side: -log(1 + odds of the second)
  const double odds = log_weight[1] - log_weight[0];
  const double log_first =
      odds > 0 ? -odds - std::log1p(std::exp(-odds)) : -std::log1p(std::exp(odds));
  const bool first = rng != nullptr ? std::log(rng->uniform()) < log_first : own_[i] == 0;
  side_[i] = first ? 0 : 1;
  sides_.add(others_[i], side_[i]);
  return first ? log_first : log_first + odds;
}

double SplitMerge::log_gain(double concentration) const {
  const double first = sides_.size(0), second = sides_.size(1);
  return std::log(concentration) + math::log_gamma(first) + math::log_gamma(second) -
         math::log_gamma(first + second) + sides_.log_marginal(0) + sides_.log_marginal(1) -
         sides_.log_marginal_both(0, 1);
}

// The side of the first row becomes a cluster of its own.
void SplitMerge::split(Clusters& clusters, Labels& labels) {
  const std::size_t old = clusters.position(labels[anchor_[1]]), made = clusters.open();
  clusters.copy(made, sides_, 0);
  clusters.copy(old, sides_, 1);
  labels[anchor_[0]] = clusters.id(made);
  for (std::size_t i = 0; i < others_.size(); ++i) {
    if (side_[i] == 0) labels[others_[i]] = clusters.id(made);
  }
}

// The cluster of the first row becomes part of the second's.
void SplitMerge::merge(Clusters& clusters, Labels& labels) {
  const std::size_t from = clusters.position(labels[anchor_[0]]);
  const std::size_t to = clusters.position(labels[anchor_[1]]);
  const std::uint32_t label = labels[anchor_[1]];
  clusters.copy_both(to, sides_, 0, 1);
  labels[anchor_[0]] = label;
  for (const std::size_t row : others_) labels[row] = label;
  clusters.close(from);
}

}  // namespace medley::samplers
