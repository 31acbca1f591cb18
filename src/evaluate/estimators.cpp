// SPDX-License-Identifier: Apache-2.0
#include "evaluate/estimators.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <string_view>
#include <utility>

#include "core/parallel.hpp"
#include "evaluate/completion.hpp"
#include "evaluate/importance.hpp"
#include "evaluate/left_to_right.hpp"
#include "medley/error.hpp"
#include "model/exact_rows.hpp"

namespace medley {
namespace {

constexpr std::array<std::pair<Estimator, std::string_view>, 5> kNames = {
    {{Estimator::bound, "bound"},
     {Estimator::exact, "exact"},
     {Estimator::importance, "importance"},
     {Estimator::left_to_right, "left-to-right"},
     {Estimator::completion, "completion"}}};

}  // namespace

std::string to_string(Estimator estimator) {
  const auto* found = std::ranges::find(kNames, estimator, &decltype(kNames)::value_type::first);
  return std::string(found->second);
}

namespace evaluation {
namespace {

// Random numbers of the two sampling estimators.
constexpr std::uint64_t kImportancePurpose = 0x50, kLeftToRightPurpose = 0x51;

std::string in_words(double number) {
  char text[32];
  std::snprintf(text, sizeof text, "%.2g", number);
  return text;
}

[[noreturn]] void refuse_tempered(Estimator estimator) {
  throw InputError({"--estimator " + to_string(estimator),
                    "the model has block weights, so its scores are tempered and none is exact",
                    "use --estimator bound, or fit without --block-weight"});
}

void check_exact(const model::ModelOnData& model, const Dataset& data) {
  if (model.exact(data)) return;
  const model::ExactCost cost = model::exact_cost(data, model.parts().components());
  if (cost.affordable(model::kMostExactSteps)) return;
  const std::string why = std::isfinite(cost.steps) ? "would take " + in_words(cost.steps) +
                                                          " steps: the rows are too long for this K"
                                                    : "needs whole numbers of observations";
  throw InputError({"--estimator exact", why, "use --estimator importance"});
}

void check_sampling(Estimator estimator, const model::ModelOnData& model) {
  if (model.parts().membership->entry().parameter == std::string_view("alpha")) return;
  throw InputError({"--estimator " + to_string(estimator),
                    "single membership has its exact likelihood, nothing need be sampled",
                    "use --estimator exact"});
}

Estimates all_certain(model::ScoredRows scored) {
  Estimates out;
  for (const double value : scored.bound) out.row.push_back({value, 0, 0});
  out.share = std::move(scored.share);
  return out;
}

// Runs `estimate(observations, distinct row, its variational state)` on every distinct row.
template <class Estimate>
Estimates sampled(const model::ModelOnData& model, const Dataset& data, std::size_t threads,
                  Estimate&& estimate) {
  constexpr std::size_t kChunk = 4;
  const data::DistinctRows distinct = data::distinct_rows(data);
  const std::size_t rows = distinct.data.rows, components = model.parts().components();
  const model::ScoredRows scored =
      model.score(distinct.data, threads, model::Keep::shares_and_states);
  std::vector<RowEstimate> found(rows);
  core::parallel_for(
      (rows + kChunk - 1) / kChunk, core::thread_count(threads),
      [&](std::size_t chunk, std::size_t) {
        RowObservations observations;
        for (std::size_t i = chunk * kChunk; i < std::min(rows, (chunk + 1) * kChunk); ++i) {
          observations.gather(model.families(), distinct.data, i);
          if (observations.count() == 0) continue;
          found[i] = estimate(observations, i,
                              std::span(scored.state).subspan(i * components, components));
        }
      });
  Estimates out;
  out.share = model::unfold(scored, distinct, components).share;
  for (const std::uint32_t pattern : distinct.pattern) out.row.push_back(found[pattern]);
  return out;
}

}  // namespace

Estimator choose_estimator(const std::string& wanted, const model::ModelOnData& model,
                           const Dataset& data, bool tempered) {
  if (wanted == "auto") return model.exact(data) && !tempered ? Estimator::exact : Estimator::bound;
  const auto* found = std::ranges::find(kNames, wanted, &decltype(kNames)::value_type::second);
  if (found == kNames.end()) {
    throw InputError({"--estimator", "there is no estimator \"" + wanted + "\"",
                      "one of auto, bound, exact, importance, left-to-right, completion"});
  }
  const bool sampling =
      found->first == Estimator::importance || found->first == Estimator::left_to_right;
  if (tempered && (sampling || found->first == Estimator::exact)) refuse_tempered(found->first);
  if (found->first == Estimator::exact) check_exact(model, data);
  if (sampling) check_sampling(found->first, model);
  return found->first;
}

Estimates estimate_rows(const model::ModelOnData& model, const Dataset& data, Estimator estimator,
                        const EvaluateOptions& options) {
  const auto alpha = model.parts().membership->parameters();
  switch (estimator) {
    case Estimator::exact:
      if (model.exact(data)) break;
      return all_certain(model::score_exactly(model.estep(), data, options.threads));
    case Estimator::importance:
      return sampled(model, data, options.threads,
                     [&](const RowObservations& row, std::size_t i, std::span<const double> state) {
                       return importance(row, alpha, state, options.samples,
                                         core::Rng(options.seed, kImportancePurpose, i));
                     });
    case Estimator::left_to_right:
      return sampled(model, data, options.threads,
                     [&](const RowObservations& row, std::size_t i, std::span<const double>) {
                       return left_to_right(row, alpha, options.samples,
                                            core::Rng(options.seed, kLeftToRightPurpose, i));
                     });
    case Estimator::completion:
      return complete_rows(model, data, options);
    case Estimator::bound:  // even where the model's own scores are exact
      return all_certain(model::score_rows(model.estep(), data, options.threads));
  }
  return all_certain(model.score(data, options.threads));
}

}  // namespace evaluation
}  // namespace medley
