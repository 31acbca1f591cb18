// SPDX-License-Identifier: Apache-2.0
#include "model/model_on_data.hpp"

#include <algorithm>

#include "data/check_dataset.hpp"
#include "math/logs.hpp"
#include "medley/error.hpp"
#include "model/exact_rows.hpp"
#include "model/family_catalogue.hpp"

namespace medley::model {

void check_rows(const Model& model, const Dataset& data) {
  if (!std::ranges::equal(data.blocks, model.parts().blocks, same_shape, {}, &ModelBlock::shape)) {
    throw InputError({"data", "was not read with the schema of the model",
                      "set ReadOptions::schema to Model::schema()"});
  }
  data::check_cells(data, &family_catalogue());
}

ModelOnData::ModelOnData(const Model& model, const Dataset& data) : ModelOnData(model) {
  check_rows(model, data);
}

ModelOnData::ModelOnData(const Model& model) : model_(model), inference_(&parts().inference()) {
  for (const ModelBlock& block : parts().blocks) families_.push_back(block.family.get());
  parts().prepare_rows();
}

EStepModel ModelOnData::standard() const {
  const bool offered = standard_inference.offered_for(parts().membership->entry());
  return {families_, parts().membership.get(), offered ? &standard_inference : inference_};
}

std::vector<std::size_t> ModelOnData::draws() const {
  if (!parts().draws) return {};
  return spread_draws(*parts().draws, kMostDraws);
}

ModelOnData ModelOnData::at_draw(std::size_t draw, const Dataset& data) const {
  ModelOnData out(draw_model(model_, draw));
  const auto count = static_cast<double>(draws().size());
  const bool lattice = !out.rows().by_fixed_point;
  if (lattice && !exact_cost(data, out.parts().components()).affordable(kQuickSteps / count))
    out.inference_ = &standard_inference;
  return out;
}

ScoredRows ModelOnData::mean_over_draws(const Dataset& data, std::size_t threads) const {
  const std::vector<std::size_t> used = draws();
  const std::size_t components = parts().components();
  ScoredRows out;
  out.share.assign(data.rows * components, 0.0);
  std::vector<double> logs(data.rows * used.size());
  for (std::size_t i = 0; i < used.size(); ++i) {
    const ModelOnData one = at_draw(used[i], data);
    const ScoredRows scored = one.score(data, threads);
    for (std::size_t row = 0; row < data.rows; ++row)
      logs[row * used.size() + i] = scored.bound[row];
    add_onto(parts().draws->draw[used[i]], scored.share, 1 / static_cast<double>(used.size()),
             out.share);
  }
  for (std::size_t row = 0; row < data.rows; ++row)
    out.bound.push_back(
        math::log_mean(std::span(logs).subspan(row * used.size(), used.size())).value);
  return out;
}

ScoredRows ModelOnData::score(const Dataset& data, std::size_t threads, Keep keep) const {
  if (!parts().draws) return score_by_mode(estep(), data, threads, keep);
  ScoredRows out = mean_over_draws(data, threads);
  if (keep == Keep::shares_and_states)
    out.state = score_rows(standard(), data, threads, keep).state;
  return out;
}

ScoredRows ModelOnData::predictive(const Dataset& data, std::size_t threads, Keep keep) const {
  ScoredRows out = score(data, threads, keep);
  if (rows().by_fixed_point && parts().membership->entry().dirichlet &&
      exact_cost(data, parts().components()).affordable(kQuickSteps))
    out.share = score_exactly(estep(), data, threads).share;
  return out;
}

bool ModelOnData::exact(const Dataset& data) const {
  const std::vector<std::size_t> used = draws();
  return used.empty() ? scores_exactly(estep(), data) : at_draw(used.front(), data).exact(data);
}

}  // namespace medley::model
