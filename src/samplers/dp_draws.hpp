// SPDX-License-Identifier: Apache-2.0
// A draw of a Dirichlet-process mixture as a plain finite mixture: its K clusters, and behind them
// T components for rows that belong to no cluster. Everything is drawn given the rows of the
// clusters, from the posterior of the mixing distribution:
//
//   weights (w_1 .. w_K, w) ~ Dirichlet(n_1 .. n_K, a), parameters of cluster k given its rows
//   w divided by sticks: Beta(1, a) of what is left, and so on; parameters from the prior
//
// So rows that are assigned afresh, each given weights and parameters, are distributed as the
// draws of labels are, pairs of rows too. (With weights at their means n_k / (n + a) they would
// be independent where they are not: two rows were in one cluster too rarely, by 5 to 12 % of the
// probability with six rows.) T is such that the division is left unfinished for hardly any rows.
// Over many draws the density of a row has the mean
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
  std::size_t clusters = 0;                     ///< K
  std::vector<double> weight;                   ///< K + T; they sum to 1
  std::vector<double> size;                     ///< K: n_k / (n + a), what weights are on average
  std::vector<std::vector<double>> parameters;  ///< per block, as Family::parameters() of K + T
  /// K x clusters of the point partition: of each cluster's rows, the share that is there.
  std::vector<double> overlap;
};

/// The share of each cluster's rows in each cluster of another partition: by rows, which sum to 1.
[[nodiscard]] std::vector<double> overlap(const Labels& clusters, const Labels& others);

/// T of a mixture of n rows with concentration a; from 1 to 20.
[[nodiscard]] std::size_t unmet_components(double rows, double concentration);

/// One draw. Weights and parameters depend on (seed, chain, sweep) alone.
[[nodiscard]] DpFinite dp_finite(const DpModel& model, const DpKept& draw, const Labels& point);
/// All of them, on up to `threads` threads.
[[nodiscard]] std::vector<DpFinite> dp_draws(const DpModel& model, std::span<const DpKept> draws,
                                             const Labels& point, std::size_t threads);

}  // namespace medley::samplers
