// SPDX-License-Identifier: Apache-2.0
#include "evaluate/row_points.hpp"

#include <cmath>

#include "core/task.hpp"
#include "medley/evaluate.hpp"
#include "model/model_on_data.hpp"

namespace medley::evaluation {

namespace {

// Rows that the membership places, brought to length 1.
RowPoints located(const model::ModelOnData& model, const Dataset& data, std::size_t threads) {
  const memberships::Membership& membership = *model.parts().membership;
  const std::size_t size = membership.state_size();
  const model::ScoredRows scored = model.score(data, threads, model::Keep::shares_and_states);
  RowPoints out{"cosine of the locations, from -1 to 1", 0, {}, false};
  for (std::size_t row = 0; row < data.rows; ++row) {
    core::stop_if_asked();
    std::vector<double> place =
        membership.location(std::span(scored.state).subspan(row * size, size));
    out.dimension = place.size();
    const double length = std::sqrt(product(place.data(), place.data(), place.size()));
    for (const double x : place) out.point.push_back(length > 0 ? x / length : 0.0);
  }
  return out;
}

}  // namespace

RowPoints row_points(const Model& model, const Dataset& data, std::size_t threads) {
  if (!model.parts().membership->component_location(0).empty())
    return located(model::ModelOnData(model, data), data, threads);
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
