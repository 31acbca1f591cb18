// SPDX-License-Identifier: Apache-2.0
// Split-merge moves (Jain and Neal 2004, "A split-merge Markov chain Monte Carlo procedure for the
// Dirichlet process mixture model"): two rows are picked, and either the cluster that they share is
// proposed to be split between them, or their two clusters to be merged. Steps of single rows pass
// through worse partitions on that way, and hardly ever do.
//
// Which of the two is tossed up; then a cluster (two, for a merge) is picked, all as likely, and a
// row in it (in each). Picked by rows alone, small clusters would hardly ever be merged, nor large
// ones split.
//
// The other rows of the cluster(s) are dealt to the two sides one after the other (after Dahl
// 2005), then drawn to them a few times all at once (the launch, which does not depend on where
// they are); one scan of Gibbs steps between the two alone is the split that is proposed, with
// probability q. A split is accepted
// with probability min(1, r), a merge with min(1, 1 / r),
//
//   r = a Gamma(n_1) Gamma(n_2) / Gamma(n_1 + n_2) x marginal_1 marginal_2 / marginal_both / q
//       x n (n - 1) / ((K + 1) n_1 n_2)
//
// with n = n_1 + n_2 and K the number of clusters where these two are one; the last factor is how
// much more likely the same two rows are picked for the way back. For a merge q is that of the scan
// that would lead from the launch to what there is.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/rng.hpp"
#include "samplers/clusters.hpp"
#include "samplers/dp_model.hpp"

namespace medley::samplers {

class SplitMerge {
 public:
  explicit SplitMerge(const DpModel& model);

  /// One move; `clusters` are those of the labels. Returns whether it was accepted.
  bool move(double concentration, core::Rng& rng, Clusters& clusters, Labels& labels);

 private:
  bool pick(bool together, const Clusters& clusters, const Labels& labels, core::Rng& rng);
  void launch(core::Rng& rng);
  double scan(core::Rng* rng);
  [[nodiscard]] std::size_t pattern(std::size_t i) const { return model_.pattern(others_[i]); }
  [[nodiscard]] double log_odds(std::size_t row) const;
  [[nodiscard]] double log_gain(double concentration, std::size_t clusters) const;
  void split(Clusters& clusters, Labels& labels);
  void merge(Clusters& clusters, Labels& labels);

  const DpModel& model_;
  Clusters sides_, next_;                 // the two that the rows are dealt to
  std::size_t anchor_[2] = {0, 0};        // the rows that were picked
  std::vector<std::size_t> others_;       // the other rows, pattern by pattern
  std::vector<std::uint8_t> side_, own_;  // of each: where it is; where it is in fact
};

}  // namespace medley::samplers
