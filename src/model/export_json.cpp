// SPDX-License-Identifier: Apache-2.0
// `medley export`: all parameters as JSON in a layout that any language reads.
//
//   {"alpha" | "pi": [K],
//    "columns": table columns and items,
//               [{"name", "family", "levels", <parameters: [K], K lists, or one number>}, ...],
//    "bags":    sources of word counts, [{"name", "columns": [V words], "p": K lists of V}, ...],
//    gamma and correlated membership: "a0", "b0", "c0", "h": [K] and, for one bag of words with
//               posteriors, "g": V lists of K, the rates being Gamma(g_vk, h_k); correlated also
//               "sigma2" and "ell": K lists of q, the locations
//    a sampled model: "draws": {"chains", "burn_in", "sweeps", "kept", "intervals": [{"parameter",
//               "mean", "q5", "q95"}, ...]}
//    "label":   {"column", "classes": [C], "eta": C - 1 lists of K, "bound"}; the last class has 0}
#include <algorithm>

#include <nlohmann/json.hpp>

#include "math/descriptive.hpp"
#include "model/model.hpp"
#include "model/parameters.hpp"

namespace medley {
namespace {

using Json = nlohmann::ordered_json;

void add_fields(const families::Family& family, std::size_t feature, Json& to) {
  for (const families::ExportField& field : family.entry().fields(family, feature)) {
    if (field.common) {
      to[field.key] = field.values.at(0).at(0);
      continue;
    }
    Json values = Json::array();
    for (const auto& per_component : field.values) {
      if (field.list) {
        values.push_back(per_component);
      } else {
        values.push_back(per_component.at(0));
      }
    }
    to[field.key] = std::move(values);
  }
}

Json label_json(const model::Parts& parts) {
  const heads::Softmax& head = *parts.head;
  const ColumnSpec& column = *parts.schema.label();
  Json eta = Json::array();
  for (std::size_t h = 0; h + 1 < head.classes(); ++h) {
    const auto row = head.eta().subspan(h * head.components(), head.components());
    eta.push_back(std::vector<double>(row.begin(), row.end()));
  }
  return {{"column", column.name},
          {"classes", column.levels},
          {"eta", std::move(eta)},
          {"bound", head.bound() == heads::Bound::paper ? "paper" : "lse"}};
}

// Rates: shape g_vk = p_vk times the strength of component k. The scale of a component is the sum
// of its rates, which has the same rate parameter h_k.
void add_rates(const model::Parts& parts, Json& out) {
  const RateOptions& rates = parts.options.rates;
  const std::size_t components = parts.components();
  const auto parameters = parts.membership->parameters();
  const std::size_t width = parameters.size() / components;
  out["a0"] = rates.a0.value_or(0);
  out["b0"] = rates.b0.value_or(0);
  out["c0"] = rates.c0.value_or(0);
  for (std::size_t k = 0; k < components; ++k) out["h"].push_back(parameters[k * width + 1]);
  const model::ModelBlock& block = parts.blocks.front();
  if (parts.blocks.size() == 1 && block.shape.encoding == Encoding::tokens &&
      !block.strengths.empty()) {
    const auto p = block.family->parameters();
    const std::size_t padded = block.family->padded();
    for (std::size_t v = 0; v < block.shape.slots(); ++v) {
      Json row = Json::array();
      for (std::size_t k = 0; k < components; ++k)
        row.push_back(p[v * padded + k] * block.strengths[k]);
      out["g"].push_back(std::move(row));
    }
  }
  const memberships::Located* located = std::as_const(*parts.membership).located();
  if (located == nullptr) return;
  out["sigma2"] = rates.sigma2.value_or(0);
  for (std::size_t k = 0; k < components; ++k) out["ell"].push_back(located->component_location(k));
}

// Intervals of the parameters: 5 % and 95 % of the draws of each, if draws have as many components
// as there are profiles.
void add_draws(const Model& model, Json& out) {
  const model::Draws& draws = *model.parts().draws;
  out["draws"] = {{"chains", draws.draw.back().chain + 1},
                  {"burn_in", draws.burn_in},
                  {"sweeps", draws.sweeps},
                  {"kept", draws.draw.size()}};
  const auto means = model::named_parameters(model);
  std::vector<std::vector<double>> values(means.size());
  for (std::size_t d = 0; d < draws.draw.size(); ++d) {
    if (draws.draw[d].components() != model.components()) return;
    const std::vector<double> drawn = model::parameter_values(model::draw_model(model, d));
    for (std::size_t i = 0; i < drawn.size(); ++i) values[i].push_back(drawn[i]);
  }
  for (std::size_t i = 0; i < means.size(); ++i) {
    std::ranges::sort(values[i]);
    out["draws"]["intervals"].push_back({{"parameter", means[i].text()},
                                         {"mean", means[i].value},
                                         {"q5", math::quantile(values[i], 0.05)},
                                         {"q95", math::quantile(values[i], 0.95)}});
  }
}

}  // namespace

std::string Model::export_json() const {
  const model::Parts& parts = *parts_;
  Json out;
  out[parts.membership->entry().parameter] = parts.membership->shown();
  if (parts.membership->entry().counts) add_rates(parts, out);
  out["columns"] = Json::array();
  out["bags"] = Json::array();
  for (const model::ModelBlock& block : parts.blocks) {
    for (std::size_t f = 0; f < block.shape.features.size(); ++f) {
      const Feature& feature = block.shape.features[f];
      Json entry;
      entry["name"] = feature.name;
      const bool bag = block.shape.encoding == Encoding::tokens;
      if (!bag) entry["family"] = block.family->entry().name;
      if (!feature.levels.empty()) entry[bag ? "columns" : "levels"] = feature.levels;
      if (!feature.labels.empty()) entry["labels"] = feature.labels;
      add_fields(*block.family, f, entry);
      out[bag ? "bags" : "columns"].push_back(std::move(entry));
    }
  }
  if (out["columns"].empty()) out.erase("columns");
  if (out["bags"].empty()) out.erase("bags");
  if (parts.head) out["label"] = label_json(parts);
  out["model"] = parts.options.model;
  out["membership"] = parts.options.membership;
  out["inference"] = parts.options.inference;
  out["sizes"] = parts.sizes;
  out["names"] = parts.names;
  if (parts.draws) add_draws(*this, out);
  // A name may come from a file: bytes that are not UTF-8 are replaced.
  return out.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace medley
