// SPDX-License-Identifier: Apache-2.0
#include "model/draws.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <numeric>
#include <set>

#include "families/registry.hpp"
#include "medley/error.hpp"
#include "medley/options.hpp"
#include "medley/uncertainty.hpp"
#include "memberships/registry.hpp"
#include "model/model.hpp"
#include "model/parameters.hpp"

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

namespace medley {

namespace {

// Only letters, digits and _, because a dot separates indices there and a comma columns.
std::string identifier(const std::string& name) {
  std::string out;
  for (const char c : name)
    out += std::isalnum(static_cast<unsigned char>(c)) != 0 && static_cast<unsigned char>(c) < 128
               ? c
               : '_';
  if (out.empty() || std::isdigit(static_cast<unsigned char>(out.front())) != 0) out = "v" + out;
  return out;
}

std::string number(double value) {
  char text[32];
  const auto end = std::to_chars(text, text + sizeof text, value).ptr;
  return {text, end};
}

// "sleep_p.2": different features must stay different once their names are identifiers.
class ColumnNames {
 public:
  std::string operator()(const model::NamedParameter& p) {
    std::string name = p.feature.empty() ? p.key : identifier(p.feature) + "_" + p.key;
    if (p.feature != feature_ || p.key != key_) {
      feature_ = p.feature;
      key_ = p.key;
      base_ = name;
      for (int i = 2; !taken_.insert(base_).second; ++i) base_ = name + "_" + std::to_string(i);
    }
    std::string out = base_ + "." + std::to_string(p.component + 1);
    return p.list ? out + "." + std::to_string(p.index + 1) : out;
  }

 private:
  std::string feature_ = "\n", key_, base_;
  std::set<std::string> taken_;
};

}  // namespace

std::size_t chains_of(const Model& model) {
  return model.parts().draws ? model.parts().draws->draw.back().chain + 1 : 0;
}

std::string draws_csv(const Model& model, std::size_t chain) {
  if (chain >= chains_of(model))
    throw InputError({"model", "has no draws: it was not sampled",
                      "fit with `model=\"gom-bayes\"` or dp-mixture"});
  const model::Draws& draws = *model.parts().draws;
  const bool aligned = std::ranges::all_of(
      draws.draw, [&](const model::Draw& draw) { return draw.components() == model.components(); });
  std::string out = "# model = " + model.preset() + "\n# written by medley " +
                    std::string(version()) + "\n# num_samples = " + std::to_string(draws.sweeps) +
                    "\n# num_warmup = " + std::to_string(draws.burn_in) +
                    "\n# id = " + std::to_string(chain + 1) + "\n";
  std::string header;
  for (const model::Trace& trace : draws.trace)
    header += (header.empty() ? "" : ",") +
              (&trace == &draws.trace.front() ? std::string("lp__") : identifier(trace.name));
  ColumnNames names;
  if (aligned) {
    for (const auto& parameter : model::named_parameters(model)) header += "," + names(parameter);
  }
  out += header + "\n";
  for (std::size_t d = 0; d < draws.draw.size(); ++d) {
    if (draws.draw[d].chain != chain) continue;
    std::string line;
    for (const model::Trace& trace : draws.trace)
      line += (line.empty() ? "" : ",") + number(trace.chain[chain][draws.draw[d].sweep]);
    if (aligned) {
      for (const double value : model::parameter_values(model::draw_model(model, d)))
        line += "," + number(value);
    }
    out += line + "\n";
  }
  return out;
}

}  // namespace medley
