// SPDX-License-Identifier: Apache-2.0
#include "model/model.hpp"

#include <algorithm>
#include <stdexcept>

#include "data/slot_index.hpp"
#include "families/registry.hpp"
#include "medley/error.hpp"
#include "memberships/registry.hpp"

namespace medley {
namespace model {

double ModelBlock::probability(std::size_t slot, std::size_t component) const {
  return family->parameters()[slot * family->padded() + component];
}

double ModelBlock::population_share(std::size_t slot) const {
  const std::size_t feature = data::feature_of(shape, slot);
  double sum = 0;
  for (std::size_t s = shape.first_slot[feature]; s < shape.first_slot[feature + 1]; ++s)
    sum += total[s];
  return sum > 0 ? total[slot] / sum : 0.0;
}

bool same_shape(const Block& a, const Block& b) {
  return a.family == b.family && a.encoding == b.encoding && a.first_slot == b.first_slot &&
         std::ranges::equal(a.features, b.features, [](const Feature& x, const Feature& y) {
           return x.name == y.name && x.levels == y.levels && x.shift == y.shift;
         });
}

std::shared_ptr<Parts> Parts::clone() const {
  auto copy = std::make_shared<Parts>();
  copy->schema = schema;
  copy->options = options;
  copy->sizes = sizes;
  copy->names = names;
  copy->summary = summary;
  copy->draws = draws;
  copy->membership = membership->entry().make(components(), options.rates);
  copy->membership->set_parameters(membership->parameters());
  if (head) copy->head = std::make_unique<heads::Softmax>(*head);
  for (const ModelBlock& block : blocks) {
    const families::FamilyEntry& entry = block.family->entry();
    ModelBlock other{block.shape, entry.make(block.shape, components()), entry.make(block.shape, 1),
                     block.total, block.strengths};
    other.family->set_parameters(block.family->parameters());
    other.marginal->set_parameters(block.marginal->parameters());
    copy->blocks.push_back(std::move(other));
  }
  return copy;
}

const Inference& Parts::inference() const {
  return *find_inference(options.inference);
}

RowMethod Parts::rows() const {
  return row_method(inference(), membership->entry());
}

void Parts::prepare_rows() const {
  std::call_once(rows_, [&] {
    for (const ModelBlock& block : blocks) block.family->prepare(rows().pooled());
  });
}

void Parts::prepare_log_rows() const {
  prepare_rows();
  if (rows().pooled()) return;
  std::call_once(log_rows_, [&] {
    for (const ModelBlock& block : blocks) block.family->prepare_log_rows();
  });
}

void Parts::prepare_draws() const {
  std::call_once(draws_, [&] {
    for (const ModelBlock& block : blocks) block.family->prepare_draws();
  });
}

void Parts::prepare_marginals() const {
  std::call_once(marginals_, [&] {
    for (const ModelBlock& block : blocks) block.marginal->prepare(true);
  });
}

}  // namespace model

std::size_t Model::components() const {
  return parts_->components();
}
const Schema& Model::schema() const {
  return parts_->schema;
}
const FitSummary& Model::summary() const {
  return parts_->summary;
}
std::string Model::preset() const {
  return parts_->options.model;
}
std::string Model::membership() const {
  return parts_->options.membership;
}
std::string Model::inference() const {
  return parts_->options.inference;
}
std::string Model::prior_name() const {
  return parts_->membership->entry().parameter;
}
const std::vector<double>& Model::sizes() const {
  return parts_->sizes;
}
const std::vector<std::string>& Model::names() const {
  return parts_->names;
}

std::vector<double> Model::prior() const {
  return parts_->membership->shown();
}

namespace {

TableView view_of(std::span<const double> values, std::size_t components, std::size_t stride) {
  return {values.data(), values.size() / stride, components, stride};
}

TableView view_of(const families::Family& family) {
  return view_of(family.parameters(), family.components(), family.padded());
}

}  // namespace

std::vector<const Block*> Model::blocks() const {
  std::vector<const Block*> out;
  for (const model::ModelBlock& block : parts_->blocks) out.push_back(&block.shape);
  return out;
}

TableView Model::table(std::size_t block) const {
  return view_of(*parts_->blocks.at(block).family);
}

TableView Model::marginal(std::size_t block) const {
  return view_of(*parts_->blocks.at(block).marginal);
}

std::span<const double> Model::totals(std::size_t block) const {
  return parts_->blocks.at(block).total;
}

TableView Model::label_weights() const {
  if (parts_->head == nullptr) return {};
  return view_of(parts_->head->eta(), components(), components());
}

std::size_t Model::draws() const {
  return parts_->draws ? parts_->draws->draw.size() : 0;
}

DrawView Model::draw(std::size_t draw) const {
  if (draw >= draws())
    throw std::out_of_range("the model has " + std::to_string(draws()) + " draws");
  const model::Draw& from = parts_->draws->draw[draw];
  DrawView out{from.chain, from.sweep, from.prior, {}, {}};
  for (const std::vector<double>& table : from.table)
    out.tables.push_back(view_of(table, from.components(), from.components()));
  out.onto = view_of(from.onto, components(), components());
  return out;
}

std::vector<TraceView> Model::traces() const {
  std::vector<TraceView> out;
  if (!parts_->draws) return out;
  for (const model::Trace& trace : parts_->draws->trace)
    out.push_back({trace.name, {trace.chain.begin(), trace.chain.end()}});
  return out;
}

std::string Model::title(std::size_t component) const {
  const std::string& name = parts_->names.at(component);
  if (!name.empty()) return name;
  const bool topics = std::ranges::all_of(parts_->blocks, [](const model::ModelBlock& b) {
    return b.shape.encoding == Encoding::tokens;
  });
  return (topics ? "Topic " : "Profile ") + std::to_string(component + 1);
}

Model Model::renamed(std::size_t component, const std::string& name) const {
  if (component >= components()) {
    throw InputError({"",
                      "there is no profile " + std::to_string(component + 1) + "; the model has " +
                          std::to_string(components()),
                      "profiles are numbered from 1"});
  }
  const auto parts = parts_->clone();
  parts->names[component] = name;
  return Model(parts);
}

}  // namespace medley
