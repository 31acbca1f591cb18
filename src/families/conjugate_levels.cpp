// SPDX-License-Identifier: Apache-2.0
// The Dirichlet prior of levels (yes/no answers included), one per feature: with c_s cells of slot
// s and m of its feature in the cluster, a_s imagined ones and A the sum of a over the feature,
//
//   log p(level s | cluster) = log(a_s + c_s) - log(A + m)
//   log marginal = sum over features of log B(a + c) - log B(a)
//
// Statistics: c of every slot, then m of every feature. Table: the log predictive of every slot.
#include <algorithm>
#include <cmath>

#include "families/conjugate.hpp"
#include "families/simplexes.hpp"

namespace medley::families {
namespace {

class Levels final : public Conjugate {
 public:
  Levels(const Block& block, std::vector<double> prior)
      : Conjugate(block.slots() + block.features.size(), block.slots()),
        first_slot_(block.first_slot),
        feature_(block.slots()),
        tables_(total_weight(block)) {
    prior_ = std::move(prior);
    for (std::size_t f = 0; f < features(); ++f) {
      double sum = 0;
      for (std::size_t s = first_slot_[f]; s < first_slot_[f + 1]; ++s) {
        feature_[s] = static_cast<std::uint32_t>(f);
        slot_table_.push_back(tables_.at(prior_[s]));
        sum += prior_[s];
      }
      feature_table_.push_back(tables_.at(sum));
    }
  }

  [[nodiscard]] double log_marginal(const double* statistics) const override {
    double sum = 0;
    for (std::size_t s = 0; s < slots(); ++s) sum += slot_table_[s]->log_rise(0, statistics[s]);
    for (std::size_t f = 0; f < features(); ++f)
      sum -= feature_table_[f]->log_rise(0, statistics[slots() + f]);
    return sum;
  }

  void draw(const double* statistics, core::Rng& rng, std::span<double> out) const override {
    for (std::size_t f = 0; f < features(); ++f) {
      double largest = -1e300, sum = 0;
      for (std::size_t s = first_slot_[f]; s < first_slot_[f + 1]; ++s)
        largest = std::max(largest, out[s] = rng.log_gamma(prior_[s] + statistics[s]));
      for (std::size_t s = first_slot_[f]; s < first_slot_[f + 1]; ++s)
        sum += (out[s] = std::exp(out[s] - largest));
      for (std::size_t s = first_slot_[f]; s < first_slot_[f + 1]; ++s)
        out[s] = std::max(out[s] / sum, kLeastProbability);
    }
  }

  void posterior_mean(const double* statistics, std::span<double> out) const override {
    for (std::size_t s = 0; s < slots(); ++s)
      out[s] = (prior_[s] + statistics[s]) /
               (feature_table_[feature_[s]]->start() + statistics[slots() + feature_[s]]);
  }

  void tabulate(const double* statistics, double* column, std::size_t stride) const override {
    for (std::size_t f = 0; f < features(); ++f) tabulate_feature(f, statistics, column, stride);
  }

  void retabulate(const Block& block, std::size_t row, const double* statistics, double* column,
                  std::size_t stride) const override {
    for (std::uint64_t c = block.row_start[row]; c < block.row_start[row + 1]; ++c)
      tabulate_feature(feature_[block.slot[c]], statistics, column, stride);
  }

  void add_log_predictives(const Block& block, std::size_t row, const ClusterView& clusters,
                           double* total) const override {
    const std::uint64_t end = block.row_start[row + 1];
    for (std::uint64_t c = block.row_start[row], next = c; c < end; c = next) {
      const std::uint32_t feature = feature_[block.slot[c]];
      for (next = c + 1; next < end && feature_[block.slot[next]] == feature;) ++next;
      if (next == c + 1 && block.weight_of(c) == 1) {
        const double* log_p = clusters.table + block.slot[c] * clusters.stride;
        for (std::size_t k = 0; k < clusters.count; ++k) total[k] += log_p[k];
      } else {
        add_replicates(block, c, next, clusters, total);
      }
    }
  }

 protected:
  void change(const Block& block, std::size_t first, std::size_t last, double times,
              double* statistics) const override {
    for (std::size_t c = first; c < last; ++c) {
      const double weight = times * static_cast<double>(block.weight_of(c));
      statistics[block.slot[c]] += weight;
      statistics[slots() + feature_[block.slot[c]]] += weight;
    }
  }

 private:
  [[nodiscard]] std::size_t slots() const { return feature_.size(); }
  [[nodiscard]] std::size_t features() const { return first_slot_.size() - 1; }

  void tabulate_feature(std::size_t f, const double* statistics, double* column,
                        std::size_t stride) const {
    const double all = feature_table_[f]->log_at(statistics[slots() + f]);
    for (std::size_t s = first_slot_[f]; s < first_slot_[f + 1]; ++s)
      column[s * stride] = slot_table_[s]->log_at(statistics[s]) - all;
  }

  // Cells of one feature that a row has several times: each counts for those after it. Slots ascend
  // within a row, so that equal ones stand together.
  void add_replicates(const Block& block, std::uint64_t first, std::uint64_t last,
                      const ClusterView& clusters, double* total) const {
    const std::uint32_t feature = feature_[block.slot[first]];
    for (std::size_t k = 0; k < clusters.count; ++k) {
      const double* statistics = clusters.statistics + k * size();
      double all = 0;
      for (std::uint64_t c = first, next = c; c < last; c = next) {
        double weight = 0;
        for (; next < last && block.slot[next] == block.slot[c]; ++next)
          weight += static_cast<double>(block.weight_of(next));
        total[k] += slot_table_[block.slot[c]]->log_rise(statistics[block.slot[c]], weight);
        all += weight;
      }
      total[k] -= feature_table_[feature]->log_rise(statistics[slots() + feature], all);
    }
  }

  std::vector<std::uint32_t> first_slot_;
  std::vector<std::uint32_t> feature_;  // of a slot
  RisingTables tables_;
  std::vector<const math::RisingTable*> slot_table_, feature_table_;
};

// Numbers for every slot: one for all, one per level if features have as many, or all of them.
std::vector<double> slot_prior(const Block& block, std::span<const double> prior) {
  if (prior.empty()) return std::vector<double>(block.slots(), 1.0);
  const std::size_t levels = prior.size();
  bool repeats = levels > 0;
  for (std::size_t f = 0; f < block.features.size(); ++f)
    repeats = repeats && block.first_slot[f + 1] - block.first_slot[f] == levels;
  const std::size_t each = repeats ? levels : 1;
  return spread_prior(block, prior, each, block.slots() / each);
}

}  // namespace

std::unique_ptr<Conjugate> levels_conjugate(const Block& block, std::span<const double> prior) {
  return std::make_unique<Levels>(block, slot_prior(block, prior));
}

}  // namespace medley::families
