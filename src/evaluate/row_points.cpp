// SPDX-License-Identifier: Apache-2.0
#include "evaluate/row_points.hpp"

#include <cmath>

#include "medley/evaluate.hpp"

namespace medley::evaluation {

RowPoints row_points(const Model& model, const Dataset& data, std::size_t threads) {
  Memberships memberships = transform(model, data, threads);
  RowPoints out{"Bhattacharyya coefficient of the memberships, from 0 to 1", memberships.components,
                std::move(memberships.share)};
  for (double& share : out.point) share = std::sqrt(share);
  return out;
}

double product(const double* a, const double* b, std::size_t dimension) {
  double sum = 0;
  for (std::size_t d = 0; d < dimension; ++d) sum += a[d] * b[d];
  return sum;
}

}  // namespace medley::evaluation
