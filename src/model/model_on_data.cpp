// SPDX-License-Identifier: Apache-2.0
#include "model/model_on_data.hpp"

#include <algorithm>

#include "medley/error.hpp"
#include "model/exact_rows.hpp"

namespace medley::model {

ModelOnData::ModelOnData(const Model& model, const Dataset& data) : parts_(model.parts().clone()) {
  if (!std::ranges::equal(data.blocks, parts_->blocks, same_shape, {}, &ModelBlock::shape)) {
    throw InputError({"data", "was not read with the schema of the model",
                      "set ReadOptions::schema to Model::schema()"});
  }
  for (const ModelBlock& block : parts_->blocks) families_.push_back(block.family.get());
  mode_ = parts_->membership->entry().mode(parts_->options.inference);
  for (ModelBlock& block : parts_->blocks)
    block.family->prepare(mode_->pooling != memberships::Pooling::none);
}

ScoredRows ModelOnData::score(const Dataset& data, std::size_t threads, Keep keep) const {
  return score_by_mode(estep(), data, threads, keep);
}

ScoredRows ModelOnData::predictive(const Dataset& data, std::size_t threads, Keep keep) const {
  ScoredRows out = score(data, threads, keep);
  const bool dirichlet = !mode_->exact && !parts_->membership->entry().counts;
  if (mode_->engine == memberships::Engine::variational && dirichlet &&
      exact_cost(data, parts_->components()).affordable(kQuickSteps))
    out.share = score_exactly(estep(), data, threads).share;
  return out;
}

bool ModelOnData::exact(const Dataset& data) const {
  return scores_exactly(estep(), data);
}

}  // namespace medley::model
