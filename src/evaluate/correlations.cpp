// SPDX-License-Identifier: Apache-2.0
#include "medley/evaluate.hpp"

#include <algorithm>
#include <cmath>

#include "core/task.hpp"
#include "math/logs.hpp"
#include "math/symmetric.hpp"
#include "medley/error.hpp"
#include "model/model.hpp"

namespace medley {
namespace {

// Covariances become correlations.
std::vector<double> standardised(std::vector<double> covariance, std::size_t size) {
  std::vector<double> deviation;
  for (std::size_t k = 0; k < size; ++k)
    deviation.push_back(std::sqrt(std::max(0.0, covariance[k * size + k])));
  for (std::size_t i = 0; i < covariance.size(); ++i) {
    const double both = deviation[i / size] * deviation[i % size];
    covariance[i] = i / size == i % size ? 1.0 : both > 0 ? covariance[i] / both : 0.0;
  }
  return covariance;
}

// Added to what a row holds of a component before the logarithm is taken.
constexpr double kHalf = 0.5;

}  // namespace

ComponentCorrelations component_correlations(const Model& model) {
  const memberships::Located* located = std::as_const(*model.parts().membership).located();
  if (located == nullptr)
    throw InputError({"DATA",
                      "is missing: only a model with locations (correlated membership) "
                      "knows how its components go together",
                      "name the data, or fit with `model=\"correlated-nmf\"`"});
  const std::size_t components = model.components();
  std::vector<double> products;
  for (std::size_t i = 0; i < components; ++i) {
    const std::vector<double> a = located->component_location(i);
    for (std::size_t j = 0; j < components; ++j) {
      const std::vector<double> b = located->component_location(j);
      double sum = 0;
      for (std::size_t d = 0; d < a.size(); ++d) sum += a[d] * b[d];
      products.push_back(sum);
    }
  }
  return {components, standardised(std::move(products), components), "locations of the components"};
}

ComponentCorrelations component_correlations(const Model& model, const Dataset& data,
                                             std::size_t threads, const Hooks& hooks) {
  const core::Task task(hooks);
  const Memberships memberships = transform(model, data, threads);
  const std::size_t components = memberships.components;
  std::vector<double> counts, weight;
  for (std::size_t row = 0; row < data.rows; ++row) {
    core::stop_if_asked();
    const double m = data.observed(row);
    if (m <= 0) continue;
    weight.push_back(data.weight_of(row));
    for (std::size_t k = 0; k < components; ++k)
      counts.push_back(m * memberships.share[row * components + k]);
  }
  const std::vector<double> logs = math::centred_logs(counts, weight, kHalf);
  return {components,
          standardised(math::weighted_squares(logs, components, components, weight), components),
          "memberships of " + std::to_string(weight.size()) + " rows"};
}

}  // namespace medley
