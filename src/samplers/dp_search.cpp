// SPDX-License-Identifier: Apache-2.0
#include "samplers/dp_search.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <span>

#include "core/task.hpp"
#include "math/logs.hpp"
#include "math/special.hpp"

namespace medley::samplers {

DpSearch::DpSearch(const DpModel& model)
    : model_(model),
      clusters_(model.patterns(), model.priors()),
      sides_(model.patterns(), model.priors()) {}

DpSearch::Counts DpSearch::count(const Labels& labels) const {
  Labels names = labels;
  Counts out;
  out.clusters = canonical(names);
  out.rows.assign(model_.patterns().rows * out.clusters, 0);
  for (std::size_t row = 0; row < names.size(); ++row)
    ++out.rows[model_.pattern(row) * out.clusters + names[row]];
  return out;
}

// Equal rows get the labels of their pattern in turn.
Labels DpSearch::labels_of(const Counts& counts) const {
  Labels labels(model_.rows());
  std::vector<std::uint32_t> left = counts.rows;
  for (std::size_t row = 0; row < labels.size(); ++row) {
    std::size_t at = model_.pattern(row) * counts.clusters;
    const std::size_t first = at;
    while (left[at] == 0) ++at;
    --left[at];
    labels[row] = static_cast<std::uint32_t>(at - first);
  }
  return labels;
}

void DpSearch::load(const Counts& counts) {
  clusters_.clear(counts.clusters);
  for (std::size_t at = 0; at < counts.rows.size(); ++at) {
    if (counts.rows[at] != 0)
      clusters_.gather(at / counts.clusters, at % counts.clusters, counts.rows[at]);
  }
  for (std::size_t k = 0; k < counts.clusters; ++k) clusters_.tabulate(k);
}

// The log weights of every pattern, and the logs of their sums.
void DpSearch::weigh(const Counts& counts) {
  load(counts);
  log_weight_.resize(counts.rows.size());
  total_.resize(model_.patterns().rows);
  for (std::size_t p = 0; p < total_.size(); ++p) {
    core::stop_if_asked();
    double* weight = &log_weight_[p * counts.clusters];
    clusters_.log_weights(model_.patterns(), p, weight);
    total_[p] = math::log_sum_exp(std::span(weight, counts.clusters));
  }
}

double DpSearch::evidence(const Counts& counts, double concentration) {
  weigh(counts);
  double sum = model_.log_joint(clusters_, concentration);
  for (std::size_t at = 0; at < counts.rows.size(); ++at) {
    if (counts.rows[at] != 0)
      sum += counts.rows[at] * (total_[at / counts.clusters] - log_weight_[at]);
  }
  return sum;
}

double DpSearch::evidence(const Labels& labels, double concentration) {
  return evidence(count(labels), concentration);
}

void DpSearch::settle(std::size_t times, core::Rng& rng, Counts& counts) {
  for (std::size_t time = 0; time < times; ++time) {
    weigh(counts);
    const std::size_t clusters = counts.clusters;
    std::vector<double> size(clusters, 0.0), up_to(clusters);
    for (std::size_t p = 0; p < total_.size(); ++p) {
      core::stop_if_asked();
      core::stop_if_asked();
      double sum = 0;
      for (std::size_t k = 0; k < clusters; ++k)
        up_to[k] = sum += std::exp(log_weight_[p * clusters + k] - total_[p]);
      std::uint32_t* rows = &counts.rows[p * clusters];
      const std::uint32_t all = std::accumulate(rows, rows + clusters, 0U);
      std::fill_n(rows, clusters, 0U);
      for (std::uint32_t i = 0; i < all; ++i) {
        const double at = rng.uniform() * sum;
        std::size_t k = 0;
        while (k + 1 < clusters && up_to[k] <= at) ++k;
        ++rows[k];
        ++size[k];
      }
    }
    Counts left;  // without the clusters that lost their last row
    left.clusters =
        static_cast<std::size_t>(std::ranges::count_if(size, [](double rows) { return rows > 0; }));
    for (std::size_t at = 0; at < counts.rows.size(); ++at) {
      if (size[at % clusters] > 0) left.rows.push_back(counts.rows[at]);
    }
    counts = std::move(left);
  }
}

// Two patterns attract the others one after the other, each with all its rows, whatever the sizes:
// else one side would take nearly all.
void DpSearch::split(std::size_t k, core::Rng& rng, Counts& counts) {
  constexpr std::size_t kPasses = 3;
  std::vector<std::size_t> patterns;
  for (std::size_t p = 0; p < total_.size(); ++p) {
    core::stop_if_asked();
    if (counts.rows[p * counts.clusters + k] != 0) patterns.push_back(p);
  }
  if (patterns.size() < 2) return;
  for (std::size_t i = patterns.size(); i > 1; --i)
    std::swap(patterns[i - 1], patterns[rng.below(i)]);
  std::vector<std::size_t> side(patterns.size(), 0);
  sides_.clear(2);
  for (std::size_t step = 0; step < kPasses * patterns.size(); ++step) {
    core::stop_if_asked();
    const std::size_t i = step % patterns.size(), p = patterns[i];
    const double rows = counts.rows[p * counts.clusters + k];
    if (step >= patterns.size()) sides_.remove(p, side[i], rows);
    if (sides_.size(0) == 0 || sides_.size(1) == 0) {
      side[i] = sides_.size(0) == 0 ? 0 : 1;
    } else {
      double log_weight[2];
      sides_.log_weights(model_.patterns(), p, log_weight);
      const double odds =
          log_weight[1] - std::log(sides_.size(1)) - log_weight[0] + std::log(sides_.size(0));
      side[i] = rng.uniform() * (1 + std::exp(odds)) < 1 ? 0 : 1;
    }
    sides_.add(p, side[i], rows);
  }
  Counts out;
  out.clusters = counts.clusters + 1;
  out.rows.assign(total_.size() * out.clusters, 0);
  for (std::size_t at = 0; at < counts.rows.size(); ++at)
    out.rows[at / counts.clusters * out.clusters + at % counts.clusters] = counts.rows[at];
  for (std::size_t i = 0; i < patterns.size(); ++i) {
    if (side[i] == 1)
      std::swap(out.rows[patterns[i] * out.clusters + k],
                out.rows[patterns[i] * out.clusters + counts.clusters]);
  }
  counts = std::move(out);
}

// Pairs worth a closer look: of every cluster those that lose least per row by a merger.
std::vector<std::pair<std::size_t, std::size_t>> DpSearch::candidates() const {
  constexpr std::size_t kEach = 3;
  std::vector<std::pair<std::size_t, std::size_t>> out;
  for (std::size_t a = 0; a < clusters_.count(); ++a) {
    core::stop_if_asked();
    std::vector<std::pair<double, std::size_t>> loss;
    for (std::size_t b = 0; b < clusters_.count(); ++b) {
      if (a == b) continue;
      const double fall =
          clusters_.log_marginal(a) + clusters_.log_marginal(b) - clusters_.log_marginal_both(a, b);
      loss.emplace_back(fall / std::min(clusters_.size(a), clusters_.size(b)), b);
    }
    const std::size_t few = std::min(kEach, loss.size());
    std::partial_sort(loss.begin(), loss.begin() + static_cast<std::ptrdiff_t>(few), loss.end());
    for (std::size_t i = 0; i < few; ++i)
      out.emplace_back(std::min(a, loss[i].second), std::max(a, loss[i].second));
  }
  std::sort(out.begin(), out.end());
  out.erase(std::unique(out.begin(), out.end()), out.end());
  return out;
}

// What the evidence gains if two clusters are one and no row moves; after weigh(counts).
double DpSearch::gain(const Counts& counts, double concentration, const Merger& merger) {
  const std::size_t a = merger.one, b = merger.other;
  sides_.clear(1);
  sides_.copy_both(0, clusters_, a, b);
  double sum = sides_.log_marginal(0) - clusters_.log_marginal(a) - clusters_.log_marginal(b) -
               std::log(concentration) + math::log_gamma(sides_.size(0)) -
               math::log_gamma(clusters_.size(a)) - math::log_gamma(clusters_.size(b));
  for (std::size_t p = 0; p < total_.size(); ++p) {
    core::stop_if_asked();
    const double *weight = &log_weight_[p * counts.clusters], all = total_[p];
    const std::uint32_t* rows = &counts.rows[p * counts.clusters];
    double both = 0;
    sides_.log_weights(model_.patterns(), p, &both);
    const double others = std::max(1 - std::exp(weight[a] - all) - std::exp(weight[b] - all), 0.0);
    // How much larger the sum of this pattern's weights is then; both may be negligible.
    const double more = std::log(std::max(others + std::exp(both - all), 1e-300));
    sum += model_.patterns().row_weight[p] * more - (rows[a] + rows[b]) * both +
           rows[a] * weight[a] + rows[b] * weight[b];
  }
  return sum;
}

DpSearch::Merger DpSearch::best_merger(const Counts& counts, double concentration) {
  weigh(counts);
  Merger best;
  for (const auto& [one, other] : candidates()) {
    Merger merger{one, other, 0};
    merger.gain = gain(counts, concentration, merger);
    if (best.other == 0 || merger.gain > best.gain) best = merger;
  }
  return best;
}

void DpSearch::prune(double concentration, double least, core::Rng& rng, Counts& counts) {
  constexpr std::size_t kSettle = 3;
  while (counts.clusters > 1) {
    const Merger best = best_merger(counts, concentration);
    if (best.gain < least) return;
    const std::size_t last = counts.clusters - 1;
    Counts out;
    out.clusters = last;
    for (std::size_t p = 0; p < total_.size(); ++p) {
      core::stop_if_asked();
      core::stop_if_asked();
      std::uint32_t* rows = &counts.rows[p * counts.clusters];
      rows[best.one] += rows[best.other];
      rows[best.other] = rows[last];
      out.rows.insert(out.rows.end(), rows, rows + last);
    }
    counts = std::move(out);
    settle(kSettle, rng, counts);
  }
}

bool DpSearch::round(double concentration, core::Rng& rng, Labels& labels) {
  constexpr std::size_t kBrief = 3, kLong = 25;
  constexpr double kMostSplit = 0.8, kMostLost = 25;  // a share of clusters; nats
  Counts now = count(labels);
  settle(kBrief, rng, now);
  const double before = evidence(now, concentration);
  Counts tried = now;
  const double share = kMostSplit * rng.uniform();
  for (std::size_t k = 0; k < now.clusters; ++k) {
    if (rng.uniform() < share) split(k, rng, tried);
  }
  settle(kLong, rng, tried);
  // Mergers that seem to lose a little may gain once rows have settled.
  prune(concentration, -kMostLost * rng.uniform(), rng, tried);
  settle(kLong, rng, tried);
  prune(concentration, 0, rng, tried);
  const bool better = evidence(tried, concentration) > before;
  labels = labels_of(better ? tried : now);
  return better;
}

}  // namespace medley::samplers
