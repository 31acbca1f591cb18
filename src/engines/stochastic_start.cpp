// SPDX-License-Identifier: Apache-2.0
#include "engines/stochastic_start.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "core/problems.hpp"
#include "core/text.hpp"
#include "data/slot_index.hpp"
#include "engines/batch_plan.hpp"
#include "engines/run_trace.hpp"
#include "engines/starts.hpp"
#include "engines/variational_em.hpp"
#include "medley/error.hpp"
#include "memberships/registry.hpp"
#include "model/inference.hpp"
#include "model/model.hpp"
#include "model/resolve.hpp"

namespace medley::engines {
namespace {

// The single-membership fit that tables start from need not be polished.
constexpr RunLimits kSingleLimits{1e-5, 50};
// A start at random gives the tables, but its statistics are worth no more than this share of the
// rows. Held-out log-likelihood, 50 topics, 500 documents a minibatch, 3 passes: AP -7.985 with a
// hundredth, -7.990 with a tenth, -8.013 with all; KOS -7.435, -7.434, -7.438.
constexpr double kWorthOfChance = 0.01;
// For posteriors they are worth more than all rows: a word with few counts would be claimed by the
// topic that has a little more of them, exp(digamma(x)) falling so fast below 1. KOS, 50 topics, 5
// passes, smoothing 0.05, from sampled memberships, two seeds: -7.453 and -7.463 with 10 times the
// rows, -7.453 and -7.455 with 30 times; with one seed -7.513 with once, -7.550 with a hundredth.
// From random rows -7.537 and -7.555 with 10 times.
constexpr double kWorthOfNoise = 10;

EmModel single_model(const EmData& data, const EmModel& like) {
  const auto& single = memberships::single_membership;
  EmModel model =
      make_model(data, single, model::usual_inference(single), like.membership->components());
  model.smoothing = like.smoothing;
  model.smoothing.posterior = false;  // a start gives points
  return model;
}

// Latent classes of the sample; mixed membership begins with their tables and a small alpha.
void from_single(const EmData& data, StartSeed seed, AlphaMode alpha, EmModel& model) {
  VariationalEm single(data, single_model(data, model));
  single.start_from(kmeans(single, seed));
  RunTrace trace;
  run(single, trace, kSingleLimits, [] {});
  for (std::size_t b = 0; b < model.families.size(); ++b)
    model.families[b]->set_parameters(single.model().families[b]->parameters());
  if (alpha == AlphaMode::fitted) model.membership->copy_prior_from(*single.model().membership);
}

// Makes a prior that came from a model what `alpha` asks for.
void apply_alpha(const model::Resolved& resolved, EmModel& model) {
  if (resolved.alpha == AlphaMode::fitted || resolved.alpha_start <= 0) return;
  double value = resolved.alpha_start;
  if (resolved.alpha == AlphaMode::symmetric) {
    value = 0;
    for (const double alpha : model.membership->parameters())
      value += alpha / static_cast<double>(model.membership->components());
  }
  model.membership->set_parameters(std::vector<double>(model.membership->components(), value));
}

// Memberships of the sample's rows, as the named starts give them.
std::vector<double> memberships_of(const std::string& init, Engine& engine, std::size_t components,
                                   StartSeed seed) {
  const EmData& data = engine.data();
  if (init == "sample") return sampled_memberships(data, components, seed);
  if (init == "kmeans") return kmeans(engine, seed);
  if (init == "labels") return from_labels(data, components, seed);
  return random_rows(data, components, seed);
}

}  // namespace

StochasticEm stochastic_start(const EmData& data, const model::Resolved& resolved,
                              const Model* from, EmModel model, std::size_t rows) {
  const FitOptions& options = resolved.options;
  const StartSeed seed{options.seed, 0};
  const double scale = static_cast<double>(rows) / static_cast<double>(data.data->rows);
  if (options.init == "single" || from != nullptr) {
    if (from != nullptr) {
      start_from_model(*from, data.data->blocks, model);
      apply_alpha(resolved, model);
    } else {
      from_single(data, seed, resolved.alpha, model);
    }
    StochasticEm engine(std::move(model), options.threads);
    engine.init_average_from(*data.data, scale);
    return engine;
  }
  if (options.init == "noise") {
    const Statistics noise = start_from_noise(seed, model);
    StochasticEm engine(std::move(model), options.threads);
    engine.init_average(noise, 1.0);
    return engine;
  }
  const bool posterior = model.smoothing.posterior;
  VariationalEm start(data, std::move(model));
  start.start_from(memberships_of(options.init, start, options.components, seed));
  StochasticEm engine(std::move(start.model()), options.threads);
  const bool chance = options.init == "random" || options.init == "sample";
  const double worth = posterior ? kWorthOfNoise : kWorthOfChance;
  engine.init_average(start.statistics(), chance ? worth * scale : scale);
  return engine;
}

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

[[noreturn]] void refuse_to_learn_on(const std::string& what) {
  throw InputError(
      {"MODEL", what + " cannot be learnt on from", "fit a model to all rows with `fit()`"});
}

}  // namespace

LearntBefore learnt_before(const Model& before, std::size_t batch) {
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
    refuse_to_learn_on("membership \"" + std::string(model.membership->entry().name) + "\"");
  Statistics statistics(model);
  for (std::size_t b = 0; b < model.families.size(); ++b) {
    const model::ModelBlock& block = parts.blocks[b];
    families::Family& family = *model.families[b];
    observe_population(block, family);
    family.set_parameters(block.family->parameters());
    if (!family.recall(weights(block, parts.sizes), model.smoothing_of(b), statistics.table(b)))
      refuse_to_learn_on("family \"" + std::string(family.entry().name) + "\"");
  }
  statistics.set_prior(prior);
  StochasticEm engine(std::move(model), threads);
  engine.init_average(statistics, rows / std::max(1.0, static_cast<double>(parts.summary.rows)));
  return engine;
}

namespace {

// Rows from which on one pass over a file is enough.
constexpr std::size_t kManyRows = 100'000;
constexpr std::size_t kUsualPasses = 5;

// With few steps a pass every one must count; with many, the first ones must not decide too much.
double usual_t0(std::size_t steps) {
  constexpr double kFew = 10, kMany = 30, kFirst = 1, kLast = 16;
  const double share = std::clamp((static_cast<double>(steps) - kFew) / (kMany - kFew), 0.0, 1.0);
  return kFirst + share * (kLast - kFirst);
}

bool any_table(const Dataset& shape) {
  return std::ranges::any_of(shape.blocks,
                             [](const Block& b) { return b.encoding != Encoding::tokens; });
}

void check_batch_options(const FitOptions& o, std::size_t rows, core::Problems& problems) {
  if (o.batch == 0)
    problems.add("`batch`", "rows that are not in memory are learnt in minibatches",
                 "say of how many rows, for example `batch=1000`");
  if (o.batch > rows) {
    problems.add(core::setting("batch", o.batch),
                 "there are only " + std::to_string(rows) + " rows",
                 "use fewer, a tenth say; or leave `batch` out to fit all rows at once");
  }
  if (!(o.kappa > 0.5 && o.kappa <= 1)) {
    problems.add("`kappa`", "must be above 0.5 and at most 1, or the steps do not settle",
                 "default 0.7");
  }
  if (o.t0 && !(*o.t0 >= 0 && std::isfinite(*o.t0)))
    problems.add("`t0`", "must be 0 or more", "default 1 to 16");
  if (o.restarts > 1)
    problems.add("`restarts`", "a fit in minibatches has one start",
                 "run it with several `seed` and compare the held-out scores");
  const model::Inference* asked = model::find_inference(o.inference);
  if (asked != nullptr && asked->needs(model::Need::all_rows) && !asked->draws) {
    problems.add(core::setting("inference", o.inference), "cannot be learnt in minibatches",
                 "use standard, fast or collapsed, or leave `batch` out");
  }
}

}  // namespace

FitOptions stochastic_options(FitOptions o, std::size_t rows, bool streamed, const Dataset& shape) {
  core::Problems problems;
  o.batch = model::minibatch(o, rows);
  check_batch_options(o, rows, problems);
  problems.throw_if_any();
  if (!o.t0) o.t0 = usual_t0(BatchPlan(rows, o.batch, o.seed).steps());
  if (o.passes == 0) o.passes = streamed && rows >= kManyRows ? 1 : kUsualPasses;
  // What is chosen for a table, or by "auto", may be an inference that needs all rows.
  const bool open = o.inference.empty() && o.model.empty() && any_table(shape);
  const memberships::MembershipEntry* entry = memberships::find(o.membership);
  if (open || o.inference == "auto")
    o.inference =
        (entry != nullptr ? model::usual_inference(*entry) : model::standard_inference).name;
  return o;
}

double step_size(const FitOptions& options, std::size_t t) {
  return std::pow(options.t0.value() + static_cast<double>(t), -options.kappa);
}

}  // namespace medley::engines
