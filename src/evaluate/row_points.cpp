// SPDX-License-Identifier: Apache-2.0
#include "evaluate/row_points.hpp"

#include <cmath>

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
    std::vector<double> place =
        membership.location(std::span(scored.state).subspan(row * size, size));
    out.dimension = place.size();
    const double length = std::sqrt(product(place.data(), place.data(), place.size()));
    for (const double x : place) out.point.push_back(length > 0 ? x / length : 0.0);
  }
  return out;
}

// The clusters of all draws side by side: the product of two points is the mean over draws of the
// probability that both rows are in one cluster.
RowPoints together(const model::ModelOnData& model, const Dataset& data, std::size_t threads) {
  RowPoints out{"probability of being in one cluster, from 0 to 1", 0, {}, false};
  const std::vector<std::size_t> draws = model.draws();
  for (const std::size_t d : draws) out.dimension += model.parts().draws->draw[d].components();
  out.point.resize(data.rows * out.dimension);
  const double each = 1 / std::sqrt(static_cast<double>(draws.size()));
  std::size_t at = 0;
  for (const std::size_t d : draws) {
    const std::size_t count = model.parts().draws->draw[d].components();
    const std::vector<double> share = model.at_draw(d, data).score(data, threads).share;
    for (std::size_t i = 0; i < share.size(); ++i)
      out.point[i / count * out.dimension + at + i % count] = each * share[i];
    at += count;
  }
  return out;
}

}  // namespace

RowPoints row_points(const Model& model, const Dataset& data, std::size_t threads) {
  if (!model.parts().membership->component_location(0).empty())
    return located(model::ModelOnData(model, data), data, threads);
  if (model.parts().draws && model.prior_name() == "pi")
    return together(model::ModelOnData(model, data), data, threads);
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
