// SPDX-License-Identifier: Apache-2.0
// A draw of a Dirichlet-process mixture as a plain finite mixture of K + 1 components: its clusters
// with weights n_k / (n + a) and parameters drawn given their rows, and behind them one component
// of weight a / (n + a) whose parameters are drawn from the prior, for rows that belong to no
// cluster. Over many draws of parameters its density of a row has the mean
//
//   sum_k n_k / (n + a) p(row | rows of k) + a / (n + a) p(row)
//
// which is that of dp_held_out.hpp. Clusters have no names that hold across draws; what is theirs
// is told about the clusters of one point partition by the share of their rows in each.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "samplers/clusters.hpp"
#include "samplers/dp_model.hpp"

namespace medley::samplers {

/// A draw of labels that was kept, and where it comes from.
struct DpKept {
  std::size_t chain = 0, sweep = 0;
  const Labels* labels = nullptr;  ///< 0 .. K-1
  double concentration = 1;
};

struct DpFinite {
  std::vector<double> weight;                   ///< K + 1; they sum to 1
  std::vector<std::vector<double>> parameters;  ///< per block, as Family::parameters() of K + 1
  /// K x clusters of the point partition: of each cluster's rows, the share that is there.
  std::vector<double> overlap;
};

/// The share of each cluster's rows in each cluster of another partition: by rows, which sum to 1.
[[nodiscard]] std::vector<double> overlap(const Labels& clusters, const Labels& others);

/// One draw. Parameters depend on (seed, chain, sweep) alone.
[[nodiscard]] DpFinite dp_finite(const DpModel& model, const DpKept& draw, const Labels& point);
/// All of them, on up to `threads` threads.
[[nodiscard]] std::vector<DpFinite> dp_draws(const DpModel& model, std::span<const DpKept> draws,
                                             const Labels& point, std::size_t threads);

}  // namespace medley::samplers
