// SPDX-License-Identifier: Apache-2.0
// Rows that are alike: as points on a unit sphere, or by how often draws put them into one cluster.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "medley/data.hpp"
#include "medley/model.hpp"

namespace medley::evaluation {

// Rows as points on a unit sphere, so that their products say how similar they are: see
// medley/predict.hpp. Not for clusters that were sampled: those are counted, below.

struct RowPoints {
  std::string metric;  ///< what the product of two points is called
  std::size_t dimension = 0;
  std::vector<double> point;  ///< rows x dimension
  bool by_component = true;   ///< coordinate k belongs to component k
  [[nodiscard]] const double* of(std::size_t row) const { return point.data() + row * dimension; }
};

[[nodiscard]] RowPoints row_points(const Model& model, const Dataset& data, std::size_t threads);

/// Of two points.
[[nodiscard]] double product(const double* a, const double* b, std::size_t dimension);

// How probable it is that two rows are in one cluster, under the draws of a sampled single
// membership: the mean over all draws of sum_k t_k s_k, t and s being the probabilities of the
// draw's components for the two rows. Given weights and parameters rows are independent; where the
// draws are of the posterior (samplers/dp_draws.hpp), rows that were fitted are in one cluster as
// often as they were while they were sampled, but with less noise than the labels have.

/// Some rows with every row of the data: rows.size() x data.rows. Time: draws x rows x (cells +
/// rows.size()) x components.
[[nodiscard]] std::vector<double> co_clustering(const Model& model, const Dataset& data,
                                                std::span<const std::size_t> rows,
                                                std::size_t threads);

}  // namespace medley::evaluation
