// SPDX-License-Identifier: Apache-2.0
// Rows as points on a unit sphere, so that their products say how similar they are: see
// medley/predict.hpp. Not for clusters that were sampled (co_clustering.hpp).
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "medley/data.hpp"
#include "medley/model.hpp"

namespace medley::evaluation {

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

}  // namespace medley::evaluation
