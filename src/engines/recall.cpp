// SPDX-License-Identifier: Apache-2.0
#include "engines/recall.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "data/slot_index.hpp"
#include "medley/error.hpp"
#include "model/model.hpp"

namespace medley::engines {
namespace {

// Lets a discrete family know the population as the model met it: one row that holds all cells.
// Families of numbers have it among their parameters.
void observe_population(const model::ModelBlock& block, families::Family& family) {
  if (block.shape.encoding == Encoding::real) return;
  Block all = block.shape;
  for (std::size_t s = 0; s < block.total.size(); ++s) {
    if (!(block.total[s] > 0)) continue;
    all.slot.push_back(static_cast<std::uint32_t>(s));
    all.weight.push_back(static_cast<float>(block.total[s]));
  }
  all.row_start = {0, all.slot.size()};
  family.observe(all, data::transpose(all), {});
}

// N_fk, features x K.
std::vector<double> weights(const model::ModelBlock& block, const std::vector<double>& sizes) {
  std::vector<double> out;
  for (std::size_t f = 0; f + 1 < block.shape.first_slot.size(); ++f) {
    double cells = 0;
    for (std::size_t s = block.shape.first_slot[f]; s < block.shape.first_slot[f + 1]; ++s)
      cells += block.total[s];
    for (const double size : sizes) out.push_back(cells * size);
  }
  return out;
}

[[noreturn]] void refuse_recall(const std::string& what) {
  throw InputError(
      {"MODEL", what + " cannot be learnt on from", "fit a model to all rows with `fit()`"});
}

}  // namespace

Recalled recalled(const Model& before, std::size_t batch) {
  const FitSummary& summary = before.summary();
  const FitOptions& options = before.parts().options;
  // Model files of earlier versions say only how many steps their last fit took.
  const std::size_t steps = summary.steps > 0 ? summary.steps : summary.iterations;
  const std::size_t seen = options.batch > 0 ? steps * options.batch : summary.rows;
  return {summary.rows, (seen + batch / 2) / batch};
}

StochasticEm engine_from(const Model& before, EmModel model, std::size_t threads, double rows) {
  const model::Parts& parts = before.parts();
  model.membership->set_parameters(parts.membership->parameters());
  memberships::PriorStatistics prior;
  const auto observed = static_cast<double>(parts.summary.rows - parts.summary.empty_rows);
  if (!model.membership->recall(observed, prior))
    refuse_recall("membership \"" + std::string(model.membership->entry().name) + "\"");
  Statistics statistics(model);
  for (std::size_t b = 0; b < model.families.size(); ++b) {
    const model::ModelBlock& block = parts.blocks[b];
    families::Family& family = *model.families[b];
    observe_population(block, family);
    family.set_parameters(block.family->parameters());
    if (!family.recall(weights(block, parts.sizes), model.smoothing_of(b), statistics.table(b)))
      refuse_recall("family \"" + std::string(family.entry().name) + "\"");
  }
  statistics.set_prior(prior);
  StochasticEm engine(std::move(model), threads);
  engine.begin_with_statistics(statistics,
                               rows / std::max(1.0, static_cast<double>(parts.summary.rows)));
  return engine;
}

}  // namespace medley::engines
