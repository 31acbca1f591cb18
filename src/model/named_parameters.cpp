// SPDX-License-Identifier: Apache-2.0
#include "model/named_parameters.hpp"

#include "families/registry.hpp"
#include "model/model.hpp"

namespace medley::model {
namespace {

void add(const Feature& feature, const families::ExportField& field,
         std::vector<NamedParameter>& out) {
  if (field.common) return;
  const std::size_t length = field.values.empty() ? 0 : field.values.front().size();
  for (std::size_t i = 0; i < length; ++i) {
    const std::string level = field.list && i < feature.levels.size() ? feature.levels[i] : "";
    for (std::size_t k = 0; k < field.values.size(); ++k)
      out.push_back({feature.name, field.key, level, field.list, i, k, field.values[k][i]});
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
  const std::vector<double> prior = model.prior();
  for (std::size_t k = 0; k < prior.size(); ++k)
    out.push_back({"", model.prior_name(), "", false, 0, k, prior[k]});
  for (const ModelBlock& block : model.parts().blocks) {
    for (std::size_t f = 0; f < block.shape.features.size(); ++f) {
      for (const families::ExportField& field : block.family->entry().fields(*block.family, f))
        add(block.shape.features[f], field, out);
    }
  }
  return out;
}

}  // namespace medley::model
