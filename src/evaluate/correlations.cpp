// SPDX-License-Identifier: Apache-2.0
#include "medley/correlations.hpp"

#include <algorithm>
#include <cmath>

#include "math/symmetric.hpp"
#include "medley/error.hpp"
#include "medley/evaluate.hpp"
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

// log(m t_k + 1/2) less its mean over components.
void add_logs(const double* share, double m, std::size_t components, std::vector<double>& out) {
  double level = 0;
  const std::size_t at = out.size();
  for (std::size_t k = 0; k < components; ++k) {
    out.push_back(std::log(m * share[k] + 0.5));
    level += out.back() / static_cast<double>(components);
  }
  for (std::size_t k = 0; k < components; ++k) out[at + k] -= level;
}

}  // namespace

ComponentCorrelations component_correlations(const Model& model) {
  const memberships::Membership& membership = *model.parts().membership;
  const std::size_t components = model.components();
  std::vector<double> products;
  for (std::size_t i = 0; i < components; ++i) {
    const std::vector<double> a = membership.component_location(i);
    if (a.empty())
      throw InputError({"DATA",
                        "is missing: only a model with locations (correlated membership) "
                        "knows how its components go together",
                        "name the data, or fit with --model correlated-nmf"});
    for (std::size_t j = 0; j < components; ++j) {
      const std::vector<double> b = membership.component_location(j);
      double sum = 0;
      for (std::size_t d = 0; d < a.size(); ++d) sum += a[d] * b[d];
      products.push_back(sum);
    }
  }
  return {components, standardised(std::move(products), components), "locations of the components"};
}

ComponentCorrelations component_correlations(const Model& model, const Dataset& data,
                                             std::size_t threads) {
  const Memberships memberships = transform(model, data, threads);
  const std::size_t components = memberships.components;
  std::vector<double> logs, weight, mean(components, 0.0);
  double total = 0;
  for (std::size_t row = 0; row < data.rows; ++row) {
    const double m = data.observed(row);
    if (m <= 0) continue;
    add_logs(&memberships.share[row * components], m, components, logs);
    weight.push_back(data.weight_of(row));
    total += weight.back();
    for (std::size_t k = 0; k < components; ++k)
      mean[k] += weight.back() * logs[logs.size() - components + k];
  }
  for (double& level : mean) level /= std::max(total, 1e-300);
  for (std::size_t i = 0; i < logs.size(); ++i) logs[i] -= mean[i % components];
  return {components,
          standardised(math::weighted_squares(logs, components, components, weight), components),
          "memberships of " + std::to_string(weight.size()) + " rows"};
}

}  // namespace medley
