// SPDX-License-Identifier: Apache-2.0
// Models made by hand: blocks with given probabilities and training totals.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "families/registry.hpp"
#include "memberships/registry.hpp"
#include "model/model.hpp"

namespace medley::hand_made {

/// `probability` is slots x components.
inline model::ModelBlock block(const std::string& name, const std::string& family,
                               std::vector<Feature> features,
                               const std::vector<std::vector<double>>& probability,
                               std::vector<double> total) {
  const families::FamilyEntry* entry = families::find(family);
  Block shape;
  shape.name = name;
  shape.family = family;
  shape.encoding = entry->encoding;
  shape.first_slot = {0};
  for (const Feature& feature : features) {
    shape.first_slot.push_back(shape.first_slot.back() +
                               static_cast<std::uint32_t>(feature.levels.size()));
  }
  shape.features = std::move(features);
  const std::size_t components = probability.front().size();
  auto made = entry->make(shape, components);
  std::vector<double> values(made->parameters().begin(), made->parameters().end());
  for (std::size_t s = 0; s < probability.size(); ++s) {
    for (std::size_t k = 0; k < components; ++k) values[s * made->padded() + k] = probability[s][k];
  }
  made->set_parameters(values);
  auto marginal = entry->make(shape, 1);
  return {std::move(shape), std::move(made), std::move(marginal), std::move(total)};
}

inline Model model(std::vector<model::ModelBlock> blocks, std::vector<double> sizes) {
  auto parts = std::make_shared<model::Parts>();
  parts->blocks = std::move(blocks);
  parts->membership = memberships::find("mixed")->make(sizes.size());
  parts->names.resize(sizes.size());
  parts->sizes = std::move(sizes);
  parts->options.model = "mmnb";
  parts->options.membership = "mixed";
  parts->options.inference = "standard";
  parts->summary.rows = 100;
  parts->summary.termination = Termination::converged;
  return Model(parts);
}

/// Two profiles over two yes/no questions and one with three levels; "same" is like the population.
inline model::ModelBlock survey() {
  return block(
      "survey", "categorical",
      {{"smokes", {"no", "yes"}}, {"same", {"no", "yes"}}, {"mood", {"bad", "fair", "good"}}},
      {{0.05, 0.95}, {0.95, 0.05}, {0.5, 0.5}, {0.5, 0.5}, {0.7, 0.1}, {0.2, 0.2}, {0.1, 0.7}},
      {500, 500, 500, 500, 400, 200, 400});
}

/// Two topics; "the" is frequent in both, "cat" and "dog" belong to one each, "rare" was seen
/// twice.
inline model::ModelBlock corpus() {
  return block("text", "tokens", {{"text", {"the", "cat", "dog", "rare"}}},
               {{0.6, 0.6}, {0.39, 0.001}, {0.001, 0.399}, {0.009, 0.0}}, {600, 200, 198, 2});
}

}  // namespace medley::hand_made
