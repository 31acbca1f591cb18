// SPDX-License-Identifier: Apache-2.0
#include "engines/stochastic_start.hpp"

#include <utility>

#include "engines/course.hpp"
#include "engines/start_file.hpp"
#include "engines/starts.hpp"
#include "engines/variational_em.hpp"
#include "memberships/registry.hpp"

namespace medley::engines {
namespace {

// The single-membership fit that tables start from need not be polished.
constexpr CourseLimits kSingleLimits{1e-5, 50};
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
  Course course;
  run(single, course, kSingleLimits, [] {});
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
    engine.begin_with_rows(*data.data, scale);
    return engine;
  }
  if (options.init == "noise") {
    const Statistics noise = start_from_noise(seed, model);
    StochasticEm engine(std::move(model), options.threads);
    engine.begin_with_statistics(noise, 1.0);
    return engine;
  }
  const bool posterior = model.smoothing.posterior;
  VariationalEm start(data, std::move(model));
  start.start_from(memberships_of(options.init, start, options.components, seed));
  StochasticEm engine(std::move(start.model()), options.threads);
  const bool chance = options.init == "random" || options.init == "sample";
  const double worth = posterior ? kWorthOfNoise : kWorthOfChance;
  engine.begin_with_statistics(start.statistics(), chance ? worth * scale : scale);
  return engine;
}

}  // namespace medley::engines
