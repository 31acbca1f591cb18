// SPDX-License-Identifier: Apache-2.0
// How a restart gets its first tables: by a start of starts.hpp, from a model, from latent classes,
// from collapsed inference or from another membership.
#include <algorithm>
#include <numeric>
#include <utility>

#include "engines/collapsed.hpp"
#include "engines/fit_head.hpp"
#include "engines/fitter.hpp"
#include "engines/starts.hpp"
#include "engines/warm_start_membership.hpp"
#include "kernels/lanes.hpp"
#include "memberships/registry.hpp"

namespace medley::engines {
namespace {

constexpr std::size_t kLeadIn = 20;  // iterations of the membership that another one follows
constexpr std::size_t kStartIterations = 200;  // at most, of the single-membership fit
// Of collapsed inference before mean-field: 60 or all 93 sweeps end no higher (AP, K = 50).
constexpr std::size_t kCollapsedSweeps = 25;

// Of a start by its name.
std::vector<double> memberships_of(const std::string& init, Engine& engine, StartSeed seed,
                                   std::size_t swaps = 0) {
  const EmData& data = engine.data();
  const std::size_t components = engine.model().membership->components();
  if (init == "random") return random_rows(data, components, seed);
  if (init == "sample") return sampled_memberships(data, components, seed);
  return kmeans(engine, seed, swaps);
}

}  // namespace

void Fitter::begin(Engine& engine) {
  const StartSeed seed{options().seed, restart_};
  const std::string& init = options().init;
  if (start_ != nullptr) {
    start_from_model(*start_, all_.blocks, engine.model());
    after_model(engine);
  } else if (init == "single") {
    begin_from_single(engine, seed);
  } else if (init == "collapsed") {
    begin_from_collapsed(engine, seed);
  } else if (is_single() && tries(engine).tried > 1 && init != "labels") {
    resume_.reset();  // stopped among the starts: they are done again
    search_starts(engine, seed);
    take_start(0, engine);
  } else if (init == "random" || init == "sample" || init == "kmeans") {
    begin_from(memberships_of(init, engine, seed), engine);
  } else {
    begin_from(from_labels(data_, options().components, seed), engine);
    if (options().components == data_.data->label()->levels.size()) start_prior(engine.model());
  }
  if (engine.model().head && options().label.eta_start)
    head_from_identity(*options().label.eta_start, *engine.model().head);
  begun_with_ = true;
  if (resolved_.membership->precursor != nullptr) lead_in(engine);
}

void Fitter::lead_in(Engine& engine) {
  const auto& entry = *resolved_.membership->precursor;
  VariationalEm first(data_, new_model(entry, model::usual_inference(entry)));
  EmModel& model = engine.model();
  core::TensorFile start;
  if (core::may_be_stopped()) engine.save(start, "start.");
  RunTrace trace;
  std::swap(first.model().families, model.families);
  first.model().membership->copy_prior_from(*model.membership);
  if (resume_ && resume_->position.stage == Stage::lead_in) {
    first.restore(resume_->file, "run.");
    trace.restore(resume_->file, "course.");
    resume_.reset();
  }
  try {
    go(first, trace, {options().tolerance, kLeadIn}, Stage::lead_in, start);
  } catch (const Interrupted&) {
    std::swap(first.model().families, model.families);
    throw;
  }
  std::swap(first.model().families, model.families);
  warm_start_membership(data_, std::move(first.model().membership), *resolved_.inference, model);
}

void Fitter::begin_from(const std::vector<double>& memberships, Engine& engine) const {
  engine.start_from(memberships);
  if (engine.model().head)
    head_from_shares(data_, memberships, kernels::padded(options().components),
                     *engine.model().head);
}

void Fitter::after_model(Engine& engine) const {
  apply_alpha_mode(engine.model());
  if (engine.model().head)
    head_from_shares(data_, sole_shares(engine), options().components, *engine.model().head);
}

void Fitter::start_prior(EmModel& model) const {
  model.membership->set_parameters(class_shares(data_, options().components));
  apply_alpha_mode(model);
}

StartsWanted Fitter::tries(const Engine& engine) const {
  const StartsWanted wanted = engine.starts_wanted();
  if (options().tries == 0) return wanted;
  return {options().tries, std::min(options().tries, wanted.kept), wanted.swaps};
}

void Fitter::search_starts(const Engine& engine, StartSeed seed) {
  const StartsWanted wanted = tries(engine);
  const auto& single = memberships::single_membership;
  EmModel model = new_model(single, model::usual_inference(single));
  model.smoothing.posterior = false;  // a start gives points
  starts_ = multistart(data_, std::move(model), wanted, seed, [&](Engine& e, StartSeed s) {
    return memberships_of(options().init, e, s, wanted.swaps);
  });
  if (starts_.interrupted) throw Interrupted();
}

void Fitter::take_start(std::size_t index, Engine& engine) const {
  const auto& single = memberships::single_membership;
  EmModel start = new_model(single, model::usual_inference(single));
  restore_parameters(starts_.parameters[index], "", start);
  take_single(start, engine);
}

void Fitter::take_single(const EmModel& start, Engine& engine) const {
  for (std::size_t b = 0; b < engine.model().families.size(); ++b)
    engine.model().families[b]->set_parameters(start.families[b]->parameters());
  engine.model().membership->copy_prior_from(*start.membership);
  apply_alpha_mode(engine.model());
  if (engine.model().head) engine.model().head->set_eta(start.head->eta());
}

void Fitter::begin_from_single(Engine& engine, StartSeed seed) {
  if (tries(engine).tried == 1) {
    RunTrace trace;
    const auto start =
        single_fit(trace, [&](VariationalEm& em) { begin_from(kmeans(em, seed), em); });
    take_single(start->model(), engine);
    engine.start_states(start->states());
    return;
  }
  resume_.reset();  // short fits are done again
  search_starts(engine, seed);
  for (std::size_t i = 0; i < starts_.parameters.size(); ++i) {
    RunTrace trace;
    const auto start = single_fit(trace, [&](VariationalEm& em) { take_start(i, em); });
    starts_.parameters[i] = {};
    save_parameters(start->model(), starts_.parameters[i], "");
    if (i == 0) engine.start_states(start->states());
  }
  take_start(0, engine);
}

void Fitter::begin_from_collapsed(Engine& engine, StartSeed seed) {
  EmModel model = new_model(*resolved_.membership, model::collapsed_inference);
  model.smoothing.posterior = false;  // a start gives points
  Collapsed start(data_, std::move(model));
  RunTrace trace;
  if (resume_) {
    start.restore(resume_->file, "run.");
    trace.restore(resume_->file, "course.");
  } else {
    begin_from(sampled_memberships(data_, options().components, seed), start);
  }
  resume_.reset();
  const auto take = [&] {
    const core::Unstoppable short_work;
    start.flush();
    for (std::size_t b = 0; b < engine.model().families.size(); ++b)
      engine.model().families[b]->set_parameters(start.model().families[b]->parameters());
    engine.model().membership->set_parameters(start.model().membership->parameters());
    apply_alpha_mode(engine.model());
    begun_with_ = true;
  };
  try {
    go(start, trace, {options().tolerance, kCollapsedSweeps}, Stage::start);
  } catch (const Interrupted&) {
    take();
    throw;
  }
  take();
}

std::unique_ptr<VariationalEm> Fitter::single_fit(
    RunTrace& trace, const std::function<void(VariationalEm&)>& begin) {
  const auto& single = memberships::single_membership;
  EmModel model = new_model(single, model::usual_inference(single));
  model.smoothing.posterior = false;  // a start gives points
  auto start = std::make_unique<VariationalEm>(data_, std::move(model));
  if (resume_) {
    start->restore(resume_->file, "run.");
    trace.restore(resume_->file, "course.");
  } else {
    begin(*start);
  }
  resume_.reset();
  try {
    go(*start, trace, {options().tolerance, kStartIterations}, Stage::start);
  } catch (const Interrupted&) {
    if (starts_.parameters.empty())
      save_parameters(start->model(), starts_.parameters.emplace_back(), "");
    throw;
  }
  return start;
}

void Fitter::apply_alpha_mode(EmModel& model) const {
  const bool has_alpha = resolved_.alpha_start > 0;
  if (resolved_.alpha == AlphaMode::fitted || !has_alpha) return;
  double value = resolved_.alpha_start;
  if (resolved_.alpha == AlphaMode::symmetric) {
    const auto alpha = model.membership->parameters();
    value = std::accumulate(alpha.begin(), alpha.end(), 0.0) / static_cast<double>(alpha.size());
  }
  model.membership->set_parameters(std::vector<double>(options().components, value));
}
}  // namespace medley::engines
