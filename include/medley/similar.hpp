// SPDX-License-Identifier: Apache-2.0
// Rows that are alike. Every row is a point on a unit sphere and the similarity of two rows is the
// product of their points:
//
//   memberships t, s   points sqrt(t), sqrt(s)    sum_k sqrt(t_k s_k)   (Bhattacharyya coefficient)
//
// It is 1 for equal memberships, 0 for rows without a profile in common, and needs no logarithm: a
// share of zero is no trouble, as it would be for a divergence. Where the model places rows itself
// (correlated membership) it is the cosine of their locations; under a sampled single membership
// (dp-mixture) the probability that both rows are in one cluster, the mean over all draws of
// sum_k t_k s_k ("co-clustering"). For rows that were fitted that is the posterior probability; of
// other rows it is what the fitted ones say, as if the two told nothing about the clusters.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "medley/dataset.hpp"
#include "medley/hooks.hpp"
#include "medley/model.hpp"

namespace medley {

/// A profile that two rows share, and its part of their similarity.
struct SharedProfile {
  std::size_t component = 0;  ///< from 0
  double part = 0;
};

struct SimilarRow {
  std::size_t row = 0;
  double similarity = 0;
  std::vector<SharedProfile> shared;  ///< the largest parts first, three at most
};

/// The neighbours of one row.
struct SimilarRows {
  bool empty = false;               ///< nothing is observed in the row: it has no neighbours
  std::vector<SimilarRow> nearest;  ///< the most similar first, then in the order of the data
};

struct Similarity {
  std::string metric;               ///< in words
  std::size_t empty_rows = 0;       ///< of the data, left out because nothing is observed in them
  std::vector<SimilarRows> of_row;  ///< one for each row asked for, in that order
};

struct SimilarOptions {
  std::size_t count = 10;  ///< of neighbours
  std::size_t threads = 0;
};

/// The nearest rows of the data to each of `rows`, themselves left out.
[[nodiscard]] Similarity similar(const Model& model, const Dataset& data,
                                 std::span<const std::size_t> rows, const SimilarOptions& options,
                                 const Hooks& hooks = {});

}  // namespace medley
