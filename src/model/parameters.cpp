// SPDX-License-Identifier: Apache-2.0
#include "model/parameters.hpp"

#include <algorithm>

#include "families/registry.hpp"
#include "kernels/lanes.hpp"
#include "model/model.hpp"

namespace medley::model {
namespace {

// Copies rows of one width to rows of another.
std::vector<double> widened(std::span<const double> table, std::size_t from, std::size_t to) {
  std::vector<double> out(table.size() / from * to, 0.0);
  for (std::size_t row = 0; row < table.size() / from; ++row)
    std::ranges::copy(table.subspan(row * from, std::min(from, to)),
                      out.begin() + static_cast<std::ptrdiff_t>(row * to));
  return out;
}

}  // namespace

std::vector<double> unpadded(std::span<const double> table, std::size_t components) {
  return widened(table, kernels::padded(components), components);
}

std::vector<double> padded(std::span<const double> table, std::size_t components) {
  return widened(table, components, kernels::padded(components));
}

namespace {

// Calls body(feature or null, field, index in its list, component, value) for every parameter.
template <class Body>
void for_each(const Model& model, const Body& body) {
  const std::vector<double> prior = model.prior();
  families::ExportField own{model.prior_name(), false, {}};
  for (std::size_t k = 0; k < prior.size(); ++k)
    body(static_cast<const Feature*>(nullptr), own, std::size_t{0}, k, prior[k]);
  for (const ModelBlock& block : model.parts().blocks) {
    for (std::size_t f = 0; f < block.shape.features.size(); ++f) {
      for (const families::ExportField& field : block.family->entry().fields(*block.family, f)) {
        if (field.common) continue;
        const std::size_t length = field.values.empty() ? 0 : field.values.front().size();
        for (std::size_t i = 0; i < length; ++i) {
          for (std::size_t k = 0; k < field.values.size(); ++k)
            body(&block.shape.features[f], field, i, k, field.values[k][i]);
        }
      }
    }
  }
}

}  // namespace

std::string NamedParameter::text() const {
  std::string out = feature.empty() ? key : feature + "." + key;
  if (!level.empty()) out += "(" + level + ")";
  return out + "[" + std::to_string(component + 1) + "]";
}

std::vector<NamedParameter> named_parameters(const Model& model) {
  std::vector<NamedParameter> out;
  for_each(model, [&](const Feature* feature, const families::ExportField& field, std::size_t i,
                      std::size_t k, double value) {
    const bool named = field.list && feature != nullptr && i < feature->levels.size();
    out.push_back({feature == nullptr ? "" : feature->name, field.key,
                   named ? feature->levels[i] : "", field.list, i, k, value});
  });
  return out;
}

std::vector<double> parameter_values(const Model& model) {
  std::vector<double> out;
  for_each(model, [&](const Feature*, const families::ExportField&, std::size_t, std::size_t,
                      double value) { out.push_back(value); });
  return out;
}

}  // namespace medley::model
