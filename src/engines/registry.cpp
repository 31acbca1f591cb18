// SPDX-License-Identifier: Apache-2.0
#include "engines/registry.hpp"

#include <algorithm>
#include <utility>
#include <vector>

namespace medley::engines {
namespace {

std::vector<const EngineEntry*>& engine_list() {
  static std::vector<const EngineEntry*> entries = {
      &standard_engine,    &fast_engine,      &exact_engine,
      &monte_carlo_engine, &collapsed_engine, &gibbs_engine,
  };
  return entries;
}

}  // namespace

std::span<const EngineEntry* const> registry() {
  return engine_list();
}

const EngineEntry& engine_of(const model::Inference& inference) {
  return **std::ranges::find(engine_list(), &inference, &EngineEntry::inference);
}

void add(const EngineEntry& entry) {
  if (std::ranges::find(engine_list(), entry.inference, &EngineEntry::inference) !=
      engine_list().end())
    return;
  engine_list().push_back(&entry);
  model::add(*entry.inference);
}

std::shared_ptr<const EngineData> engine_data(const EmData& data, const model::Inference& inference,
                                              const FitOptions& options) {
  const auto prepare_data = engine_of(inference).prepare_data;
  return prepare_data == nullptr ? nullptr : prepare_data(data, options);
}

std::unique_ptr<Engine> make_engine(const EmData& data, EmModel model, std::uint64_t seed) {
  const EngineEntry& entry = engine_of(*model.inference);
  return entry.make(data, std::move(model), seed);
}

}  // namespace medley::engines
