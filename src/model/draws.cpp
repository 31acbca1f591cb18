// SPDX-License-Identifier: Apache-2.0
#include "model/draws.hpp"

#include <algorithm>
#include <numeric>

#include "families/registry.hpp"
#include "memberships/registry.hpp"
#include "model/model.hpp"
#include "model/tables.hpp"

namespace medley::model {

bool is_of_all_rows(const std::string& trace) {
  constexpr const char* kNames[] = {kLogLikelihood, kLogJoint, kAlphaSum, kConcentration,
                                    kClusters};
  return std::ranges::find(kNames, trace) != std::end(kNames);
}

Model draw_model(const Model& model, std::size_t draw) {
  const Parts& parts = model.parts();
  const Draw& drawn = parts.draws->draw[draw];
  const std::size_t components = drawn.components();
  auto out = std::make_shared<Parts>();
  out->schema = parts.schema;
  out->options = parts.options;
  out->options.components = components;
  out->summary = parts.summary;
  out->membership = parts.membership->entry().make(components, parts.options.rates);
  out->membership->set_parameters(drawn.prior);
  out->sizes = out->membership->prior_moments().mean;
  out->names =
      components == parts.components() ? parts.names : std::vector<std::string>(components);
  for (std::size_t b = 0; b < parts.blocks.size(); ++b) {
    const ModelBlock& block = parts.blocks[b];
    const families::FamilyEntry& entry = block.family->entry();
    ModelBlock other{block.shape, entry.make(block.shape, components), entry.make(block.shape, 1),
                     block.total};
    other.family->set_parameters(padded(drawn.table[b], components));
    other.marginal->set_parameters(block.marginal->parameters());
    out->blocks.push_back(std::move(other));
  }
  return Model(std::move(out));
}

std::vector<std::size_t> spread_draws(const Draws& draws, std::size_t most) {
  const std::size_t count = std::min(most, draws.draw.size());
  std::vector<std::size_t> out;
  for (std::size_t i = 0; i < count; ++i) out.push_back(i * draws.draw.size() / count);
  return out;
}

Draws reordered(Draws draws, std::span<const std::size_t> order) {
  const std::size_t profiles = order.size();
  for (Draw& draw : draws.draw) {
    const std::size_t components = draw.components();
    families::permute_columns(draw.onto, profiles, order);
    if (components != profiles) continue;
    families::permute_columns(draw.prior, components, order);
    for (std::vector<double>& table : draw.table)
      families::permute_columns(table, components, order);
    const std::vector<double> before = draw.onto;
    for (std::size_t j = 0; j < components; ++j) {
      for (std::size_t k = 0; k < profiles; ++k)
        draw.onto[j * profiles + k] = before[order[j] * profiles + k];
    }
  }
  return draws;
}

void add_onto(const Draw& draw, std::span<const double> share, double weight,
              std::span<double> profiles) {
  const std::size_t from = draw.components(), to = draw.onto.size() / from;
  for (std::size_t row = 0; row < share.size() / from; ++row) {
    for (std::size_t j = 0; j < from; ++j) {
      const double part = weight * share[row * from + j];
      for (std::size_t k = 0; k < to; ++k) profiles[row * to + k] += part * draw.onto[j * to + k];
    }
  }
}

}  // namespace medley::model
