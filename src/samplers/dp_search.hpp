// SPDX-License-Identifier: Apache-2.0
// A search for partitions that deserve to be sampled from. With thousands of rows per cluster a
// chain stays near the first partition that no single row and no split or merge improves, and
// chains from different starts stay near different ones. They are compared by how much evidence
// there is for their clusters whichever rows are in them (Cheeseman and Stutz 1996, "Bayesian
// classification (AutoClass)"), in which the many partitions of nearly equal clusters count:
//
//   evidence = log p(labels, data) + sum_i (log sum_k w_ik - log w_i,label(i)),
//   w_ik = n_k p(row i | rows of k)
//
// A round splits some of the clusters, lets rows settle, merges the pairs whose merger costs least
// until no more should be, lets rows settle again, and keeps what it found if the evidence is
// larger. Rows settle by draws from w, all at once: no Gibbs steps, and a round is no step of the
// chain. It is how a chain finds its start; what it draws later does not depend on it in the long
// run.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "core/rng.hpp"
#include "samplers/clusters.hpp"
#include "samplers/dp_model.hpp"

namespace medley::samplers {

class DpSearch {
 public:
  explicit DpSearch(const DpModel& model);

  /// Replaces the labels by better ones if it finds any; whether it did. Costs about a hundred
  /// times as much as scoring every pattern under every cluster.
  bool round(double concentration, core::Rng& rng, Labels& labels);
  /// Of the clusters that labels tell.
  [[nodiscard]] double evidence(const Labels& labels, double concentration);

 private:
  // How many rows of each pattern are in each cluster: patterns x count.
  struct Counts {
    std::size_t clusters = 0;
    std::vector<std::uint32_t> rows;
  };
  // A merger of two clusters and what the evidence gains by it.
  struct Merger {
    std::size_t one = 0, other = 0;
    double gain = 0;
  };

  [[nodiscard]] Counts count(const Labels& labels) const;
  [[nodiscard]] Labels labels_of(const Counts& counts) const;
  void load(const Counts& counts);
  void weigh(const Counts& counts);
  [[nodiscard]] double evidence(const Counts& counts, double concentration);
  void settle(std::size_t times, core::Rng& rng, Counts& counts);
  void split(std::size_t k, core::Rng& rng, Counts& counts);
  void prune(double concentration, double least, core::Rng& rng, Counts& counts);
  [[nodiscard]] std::vector<std::pair<std::size_t, std::size_t>> candidates() const;
  [[nodiscard]] Merger best_merger(const Counts& counts, double concentration);
  [[nodiscard]] double gain(const Counts& counts, double concentration, const Merger& merger);

  const DpModel& model_;
  Clusters clusters_, sides_;               // of patterns
  std::vector<double> log_weight_, total_;  // patterns x clusters; per pattern the log of the sum
};

}  // namespace medley::samplers
