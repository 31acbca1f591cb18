// SPDX-License-Identifier: Apache-2.0
#include "evaluate/estimators.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <limits>
#include <string_view>
#include <utility>

#include "core/parallel.hpp"
#include "core/task.hpp"
#include "core/text.hpp"
#include "data/distinct.hpp"
#include "evaluate/importance.hpp"
#include "evaluate/left_to_right.hpp"
#include "evaluate/purposes.hpp"
#include "kernels/lanes.hpp"
#include "math/logs.hpp"
#include "medley/error.hpp"
#include "model/exact_rows.hpp"
#include "model/split_observations.hpp"

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

std::string in_words(double number) {
  char text[32];
  std::snprintf(text, sizeof text, "%.2g", number);
  return text;
}

[[noreturn]] void refuse_tempered(Estimator estimator) {
  throw InputError({core::setting("estimator", to_string(estimator)),
                    "the model has block weights, so its scores are tempered and none is exact",
                    "use `estimator=\"bound\"`, or fit without `block_weight`"});
}

void check_exact(const model::ModelOnData& model, const Dataset& data) {
  if (model.exact(data)) return;
  const model::ExactCost cost = model::exact_cost(data, model.parts().components());
  if (cost.affordable(model::kMostExactSteps)) return;
  const std::string why = std::isfinite(cost.steps) ? "would take " + in_words(cost.steps) +
                                                          " steps: the rows are too long for this K"
                                                    : "needs whole numbers of observations";
  throw InputError({"`estimator=\"exact\"`", why, "use `estimator=\"importance\"`"});
}

bool is_single(const model::ModelOnData& model) {
  return model.parts().membership->entry().sole;
}

void check_counting(Estimator estimator, const model::ModelOnData& model) {
  const memberships::MembershipEntry& entry = model.parts().membership->entry();
  if (entry.dirichlet || entry.sole) return;
  throw InputError({core::setting("estimator", to_string(estimator)),
                    "is for proportions drawn from a Dirichlet, not for " +
                        model.parts().options.membership + " membership",
                    "use `estimator=\"completion\"`, which compares all models, or bound"});
}

void check_sampling(Estimator estimator, const model::ModelOnData& model) {
  if (!is_single(model)) return;
  throw InputError({core::setting("estimator", to_string(estimator)),
                    "single membership has its exact likelihood, nothing need be sampled",
                    "use `estimator=\"exact\"`"});
}

Estimates all_certain(const std::vector<double>& values) {
  Estimates out;
  for (const double value : values) out.row.push_back({value, 0, 0});
  return out;
}

// Draws per row if nobody says how many.
constexpr std::size_t kMemberships = 1000, kParticles = 200;

std::size_t draws(const EvaluateOptions& options, std::size_t usual) {
  return options.samples > 0 ? options.samples : usual;
}

// Steps that `auto` takes: of an exact score about half a minute on two cores, of one from left to
// right a few minutes.
constexpr double kUnaskedSteps = 3e10, kUnaskedDraws = 2e11;

// Multiply-adds of left_to_right for all rows.
double steps_left_to_right(const Dataset& data, std::size_t components, std::size_t particles) {
  constexpr double kSweeps = 5;
  double tokens = 0;
  for (std::size_t row = 0; row < data.rows; ++row) tokens += data.observed(row);
  return kSweeps * tokens * static_cast<double>(components) * static_cast<double>(particles);
}

Chosen choose_unasked(const EvaluateOptions& options, const model::ModelOnData& model,
                      const Dataset& data, bool tempered) {
  if (tempered) return {Estimator::bound, "block weights: nothing else is offered"};
  if (is_single(model)) return {Estimator::exact, "single membership: always"};
  if (!model.parts().membership->entry().dirichlet)
    return {Estimator::completion, "compares with models that do not count observations"};
  const std::size_t components = model.parts().components();
  const model::ExactCost cost = model::exact_cost(data, components);
  const auto times = static_cast<double>(std::max<std::size_t>(1, model.draws().size()));
  if (cost.affordable(kUnaskedSteps / times))
    return {Estimator::exact, "the rows are short enough"};
  if (!std::isfinite(cost.steps)) return {Estimator::importance, "cells count in fractions"};
  if (steps_left_to_right(data, components, draws(options, kParticles)) <= kUnaskedDraws / times)
    return {Estimator::left_to_right, "the rows are too long for exact"};
  return {Estimator::importance, "too many long rows for exact and left-to-right"};
}

// The model with rows inferred by a bound: its own, or that of standard inference if it has none.
model::EStepModel by_bound(const model::ModelOnData& model) {
  const bool has_one = model.rows().by_fixed_point;
  return has_one ? model.estep() : model.standard();
}

// Runs `estimate(observations, distinct row, its variational state)` on every distinct row. The
// state is that of standard inference.
template <class Estimate>
Estimates sampled(const model::ModelOnData& model, const Dataset& data, std::size_t threads,
                  Estimate&& estimate) {
  constexpr std::size_t kChunk = 4;
  const data::DistinctRows distinct = data::distinct_rows(data);
  const std::size_t rows = distinct.data.rows, components = model.parts().components();
  const model::ScoredRows scored =
      model::score_rows(model.standard(), distinct.data, threads, model::Keep::shares_and_states);
  std::vector<RowEstimate> found(rows);
  core::Stage stage("scoring rows", rows);
  core::parallel_for(
      (rows + kChunk - 1) / kChunk, core::thread_count(threads),
      [&](std::size_t chunk, std::size_t) {
        RowObservations observations;
        for (std::size_t i = chunk * kChunk; i < std::min(rows, (chunk + 1) * kChunk); ++i) {
          core::stop_if_asked();
          observations.gather(model.families(), distinct.data, i);
          if (observations.count() == 0) continue;
          found[i] = estimate(observations, i,
                              std::span(scored.state).subspan(i * components, components));
          found[i].effective_samples =
              std::min(found[i].effective_samples,
                       effective_at_most(scored.bound[i] - found[i].log_likelihood));
        }
        stage.add(std::min(rows, (chunk + 1) * kChunk) - chunk * kChunk);
      });
  Estimates out;
  for (const std::uint32_t pattern : distinct.pattern) out.row.push_back(found[pattern]);
  return out;
}

}  // namespace

double effective_at_most(double shortfall) {
  if (shortfall <= 0) return std::numeric_limits<double>::infinity();
  const double lacking = -std::expm1(-shortfall);
  return 1 / (lacking * lacking);
}

Chosen choose_estimator(const EvaluateOptions& options, const model::ModelOnData& model,
                        const Dataset& data, bool tempered) {
  const std::string& wanted = options.estimator;
  if (wanted == "auto") return choose_unasked(options, model, data, tempered);
  const auto* found = std::ranges::find(kNames, wanted, &decltype(kNames)::value_type::second);
  if (found == kNames.end()) {
    throw InputError({"`estimator`", "there is no estimator \"" + wanted + "\"",
                      "one of auto, bound, exact, importance, left-to-right, completion"});
  }
  const bool sampling =
      found->first == Estimator::importance || found->first == Estimator::left_to_right;
  if (tempered && (sampling || found->first == Estimator::exact)) refuse_tempered(found->first);
  if (sampling || found->first == Estimator::exact) check_counting(found->first, model);
  if (found->first == Estimator::exact) check_exact(model, data);
  if (sampling) check_sampling(found->first, model);
  if (found->first == Estimator::left_to_right && !data::whole_weights(data))
    throw InputError({"`estimator=\"left-to-right\"`",
                      "needs whole numbers of observations, at most 16 million in a row",
                      "use `estimator=\"importance\"`"});
  return {found->first, ""};
}

namespace {

// Of a sampled model: the log of the mean over its draws of what a row is worth under each. The
// error of drawing parameters is that of draws that are independent; under a mean of bounds a row
// has a bound.
Estimates over_draws(const model::ModelOnData& model, const Dataset& data, Estimator estimator,
                     const EvaluateOptions& options) {
  const std::vector<std::size_t> used = model.draws();
  std::vector<std::vector<double>> logs(data.rows);
  std::vector<double> variance(data.rows, 0.0);
  std::vector<std::vector<std::vector<double>>> of_block(data.blocks.size());
  Estimates out;
  const auto mean_of = [](const std::vector<double>& values) { return math::log_mean(values); };
  for (const std::size_t draw : used) {
    Estimates one = estimate_rows(model.at_draw(draw, data), data, estimator, options);
    for (std::size_t row = 0; row < data.rows; ++row) {
      core::stop_if_asked();
      logs[row].push_back(one.row[row].log_likelihood);
      variance[row] += one.row[row].standard_error * one.row[row].standard_error;
    }
    for (std::size_t b = 0; b < one.of_block.size(); ++b) {
      of_block[b].resize(data.rows);
      for (std::size_t row = 0; row < data.rows; ++row)
        of_block[b][row].push_back(one.of_block[b][row]);
    }
    out.tested = std::move(one.tested);
  }
  const auto count = static_cast<double>(used.size());
  for (std::size_t row = 0; row < data.rows; ++row) {
    core::stop_if_asked();
    const math::LogMean mean = mean_of(logs[row]);
    out.row.push_back({mean.value,
                       std::hypot(mean.standard_error, std::sqrt(variance[row]) / count),
                       mean.effective});
  }
  for (const auto& block : of_block) {
    if (block.empty()) continue;
    auto& values = out.of_block.emplace_back();
    for (const std::vector<double>& row : block) values.push_back(mean_of(row).value);
  }
  return out;
}

}  // namespace

Estimates estimate_rows(const model::ModelOnData& model, const Dataset& data, Estimator estimator,
                        const EvaluateOptions& options) {
  if (!model.draws().empty()) return over_draws(model, data, estimator, options);
  const auto alpha = model.parts().membership->parameters();
  switch (estimator) {
    case Estimator::exact:
      if (model.exact(data)) break;
      return all_certain(model::exact_log_likelihoods(model.estep(), data, options.threads));
    case Estimator::importance:
      return sampled(model, data, options.threads,
                     [&](const RowObservations& row, std::size_t i, std::span<const double> state) {
                       return importance(row, alpha, state, draws(options, kMemberships),
                                         core::Rng(options.seed, purpose(Purpose::importance), i));
                     });
    case Estimator::left_to_right:
      return sampled(model, data, options.threads,
                     [&](const RowObservations& row, std::size_t i, std::span<const double> state) {
                       return left_to_right(
                           row, alpha, state, draws(options, kParticles),
                           core::Rng(options.seed, purpose(Purpose::left_to_right), i));
                     });
    case Estimator::completion:
      return complete_rows(model, data, options);
    case Estimator::bound:  // even where the model's own scores are exact
      return all_certain(model::score_rows(model.estep(), data, options.threads).bound);
  }
  const model::EStepModel bounded = by_bound(model);
  model::ScoredRows scored = estimator == Estimator::bound
                                 ? model::score_rows(bounded, data, options.threads)
                                 : model.score(data, options.threads);
  Estimates out = all_certain(scored.bound);
  if (estimator != Estimator::bound || bounded.inference == &model.inference())
    out.share = std::move(scored.share);
  return out;
}

}  // namespace evaluation
}  // namespace medley

namespace medley::evaluation {

namespace {

using model::empty_short_rows;
using model::score_cells;
using model::without;

// Adds the score of the tested part to every row that has something in both parts.
void score_part(const model::ModelOnData& model, const Dataset& tested, const Dataset& observed,
                std::size_t threads, Estimates& into) {
  constexpr std::size_t kChunk = 64;
  const model::ScoredRows scored = model.predictive(observed, threads);
  const std::size_t components = model.parts().components();
  core::parallel_for((tested.rows + kChunk - 1) / kChunk, core::thread_count(threads),
                     [&](std::size_t chunk, std::size_t) {
                       std::vector<double> share(kernels::padded(components), 0.0);
                       const std::size_t end = std::min(tested.rows, (chunk + 1) * kChunk);
                       for (std::size_t i = chunk * kChunk; i < end; ++i) {
                         std::copy_n(&scored.share[i * components], components, share.begin());
                         for (std::size_t b = 0; b < tested.blocks.size(); ++b) {
                           const double score =
                               score_cells(*model.families()[b], tested.blocks[b], i, share);
                           into.of_block[b][i] += score;
                           into.row[i].log_likelihood += score;
                         }
                       }
                     });
}

}  // namespace

std::vector<Dataset> deal(const Dataset& data, std::size_t parts, std::uint64_t seed) {
  return model::split_observations(data, parts, seed, purpose(Purpose::deal));
}

Estimates complete_rows(const model::ModelOnData& model, const Dataset& data,
                        const EvaluateOptions& options) {
  const std::size_t count = options.threefold ? 3 : 2;
  std::vector<Dataset> parts = deal(data, count, options.seed);
  Estimates out;
  out.row.resize(data.rows);
  out.of_block.assign(data.blocks.size(), std::vector<double>(data.rows, 0.0));
  for (std::size_t p = 0; p < (options.threefold ? count : 1); ++p) {
    const Dataset observed = without(parts, p);
    empty_short_rows(data, count, parts[p]);
    score_part(model, parts[p], observed, options.threads, out);
  }
  out.tested = options.threefold ? without(parts, count) : std::move(parts.front());
  return out;
}

}  // namespace medley::evaluation
