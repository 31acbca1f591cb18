// SPDX-License-Identifier: Apache-2.0
#include "samplers/split_merge.hpp"

#include <cmath>

#include "core/task.hpp"
#include "math/special.hpp"
#include "medley/error.hpp"

namespace medley::samplers {

namespace {

// log of the first of two probabilities whose log odds are given.
double log_first(double odds) {
  return odds > 0 ? -std::log1p(std::exp(-odds)) : odds - std::log1p(std::exp(odds));
}

}  // namespace

SplitMerge::SplitMerge(const DpModel& model)
    : model_(model), sides_(model.data(), model.priors()), next_(model.data(), model.priors()) {}

bool SplitMerge::move(double concentration, core::Rng& rng, Clusters& clusters, Labels& labels) {
  const bool together = rng.uniform() < 0.5;
  if (!pick(together, clusters, labels, rng)) return false;
  launch(rng);
  const double log_q = scan(together ? &rng : nullptr);
  const std::size_t merged = clusters.count() - (together ? 0 : 1);
  const double log_r = log_gain(concentration, merged) - log_q;
  if (!(std::log(rng.uniform()) < (together ? log_r : -log_r))) return false;
  if (together) {
    split(clusters, labels);
  } else {
    merge(clusters, labels);
  }
  return true;
}

// Returns false if the cluster has no two rows, or there are no two clusters.
bool SplitMerge::pick(bool together, const Clusters& clusters, const Labels& labels,
                      core::Rng& rng) {
  const std::size_t count = clusters.count();
  if (!together && count < 2) return false;
  const std::size_t first = rng.below(count);
  std::size_t second = together ? first : rng.below(count - 1);
  if (!together && second >= first) ++second;
  const auto size = [&](std::size_t k) { return integer_of<std::size_t>(clusters.size(k)); };
  if (together && size(first) < 2) return false;
  // Which row of the cluster: in order, from 0.
  std::size_t nth[2] = {rng.below(size(first)), rng.below(size(second) - (together ? 1 : 0))};
  if (together && nth[1] >= nth[0]) ++nth[1];
  const std::uint32_t label[2] = {clusters.id(first), clusters.id(second)};
  std::size_t seen[2] = {0, 0};
  others_.clear();
  own_.clear();
  for (const std::uint32_t row : model_.order()) {
    if (labels[row] != label[0] && labels[row] != label[1]) continue;
    const std::uint8_t own = labels[row] == label[0] ? 0 : 1;
    const std::size_t at = seen[own]++;
    if (own == 0 && at == nth[0]) {
      anchor_[0] = row;
    } else if (own == (together ? 0 : 1) && at == nth[1]) {
      anchor_[1] = row;
    } else {
      others_.push_back(row);
      own_.push_back(own);
    }
  }
  return true;
}

// Patterns are dealt one after the other with all their rows, each given the rows that were picked
// and those dealt before: halves at random would be alike, and take many scans to come apart. Then
// rows are drawn by the odds of their pattern, all at once, a few times. Nothing of this is to be
// retraced, so it may be rough; it must not know on which side a row is in fact.
void SplitMerge::launch(core::Rng& rng) {
  side_.assign(others_.size(), 0);
  for (std::size_t scan = 0; scan <= model_.options().launch_scans; ++scan) {
    Clusters& next = scan == 0 ? sides_ : next_;
    next.clear(2);
    next.add(anchor_[0], 0);
    next.add(anchor_[1], 1);
    for (std::size_t i = 0, end = 0; i < others_.size(); i = end) {
      core::stop_if_asked();
      const double odds = log_odds(others_[i]), p = 1 / (1 + std::exp(-odds));
      const std::uint8_t common = rng.uniform() < p ? 0 : 1;
      double count[2] = {0, 0};
      for (end = i; end < others_.size() && pattern(end) == pattern(i); ++end) {
        side_[end] = scan == 0 ? common : rng.uniform() < p ? 0 : 1;
        ++count[side_[end]];
      }
      for (std::size_t k = 0; k < 2; ++k) {
        if (count[k] > 0 && scan == 0) next.add(others_[i], k, count[k]);
        if (count[k] > 0 && scan > 0) next.gather(others_[i], k, count[k]);
      }
    }
    if (scan > 0) {
      for (std::size_t k = 0; k < 2; ++k) sides_.copy(k, next_, k);
    }
  }
}

// Draws every row to a side given all others; or, without random numbers, puts it where it is in
// fact. Returns the log probability of what it did. Rows of one pattern and side have the same odds
// for as long as none has moved.
double SplitMerge::scan(core::Rng* rng) {
  double log_q = 0, odds[2] = {0, 0};
  bool known[2] = {false, false};
  for (std::size_t i = 0; i < others_.size(); ++i) {
    core::stop_if_asked();
    const std::size_t row = others_[i];
    const std::uint8_t from = side_[i];
    if (i == 0 || pattern(i) != pattern(i - 1)) known[0] = known[1] = false;
    const bool out = !known[from];
    if (out) {
      sides_.remove(row, from);
      odds[from] = log_odds(row);
      known[from] = true;
    }
    const double log_p = log_first(odds[from]);
    const bool first = rng != nullptr ? std::log(rng->uniform()) < log_p : own_[i] == 0;
    log_q += first ? log_p : log_p - odds[from];
    side_[i] = first ? 0 : 1;
    if (side_[i] != from) {
      if (!out) sides_.remove(row, from);
      known[0] = known[1] = false;
    }
    if (out || side_[i] != from) sides_.add(row, side_[i]);
  }
  return log_q;
}

// Of the first side against the second, for a row that is on neither.
double SplitMerge::log_odds(std::size_t row) const {
  double log_weight[2];
  sides_.log_weights(model_.data(), row, log_weight);
  return log_weight[0] - log_weight[1];
}

// log of (r q); `clusters`: K where the two sides are one.
double SplitMerge::log_gain(double concentration, std::size_t clusters) const {
  const double first = sides_.size(0), second = sides_.size(1), both = first + second;
  const double way_back = both * (both - 1) / (static_cast<double>(clusters + 1) * first * second);
  return std::log(concentration) + math::log_gamma(first) + math::log_gamma(second) -
         math::log_gamma(both) + sides_.log_marginal(0) + sides_.log_marginal(1) -
         sides_.log_marginal_both(0, 1) + std::log(way_back);
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
