// SPDX-License-Identifier: Apache-2.0
#include "engines/fitter.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "engines/build_model.hpp"
#include "engines/conditional.hpp"
#include "engines/registry.hpp"
#include "model/model.hpp"

namespace medley::engines {
namespace {

// Iterations after which candidates for the beginning are compared. Where warm rows win they lead
// after 8 of them by a third or more of what they have gained; MovieLens ends higher with cold rows
// though warm ones lead by a tenth. Which alpha is best shows 10 to 20 after it was held.
constexpr std::size_t kFirstLook = 8, kSecondLook = 20, kChoosing = 40;
constexpr std::size_t kAfterAlpha = VariationalEm::kHeld + 10;
constexpr double kClose = 0.2;

}  // namespace

Fitter::Fitter(const Dataset& all, model::Resolved resolved, const Hooks& hooks, const Model* start,
               core::Reducer& across)
    : all_(all),
      resolved_(std::move(resolved)),
      start_(start),
      across_(across),
      run_(options(), hooks, across) {
  const bool labels = resolved_.classes > 0 || options().init == "labels";
  if (across.alone())
    distinct_ = data::distinct_rows(all, labels ? data::Fold::cells_and_label : data::Fold::cells);
  const Dataset& rows = distinct_ ? distinct_->data : all_;
  run_.identify([&] { return fingerprint(rows, options()); });
  data_ = prepare(rows, options().threads, across);
  data_.variance_floor = options().variance_floor;
  data_.own = engine_data(data_, *resolved_.inference, options());
}

Model Fitter::run() {
  if (const std::string file = run_.resumed_file(); !file.empty()) {
    resume_ = read_checkpoint(file, run_.fingerprint());
    finished_ = resume_->finished;
    restart_ = resume_->position.restart;
  }
  // A rank that stopped on its own would leave the others waiting: run_ sees that all stop.
  std::optional<core::Unstoppable> together;
  if (!across_.alone()) together.emplace();
  for (; restart_ < options().restarts && !interrupted_; ++restart_) run_restart();
  EmModel best = new_model(*resolved_.membership, *resolved_.inference);
  if (!finished_.best_model.tensors.empty())
    restore_parameters(finished_.best_model, "best.", best);
  data_ = {};  // the rows are scored and counted afresh: what EM needed would only take room
  distinct_.reset();
  auto parts = build_model(all_, resolved_, std::move(best), finished_, across_);
  if (!interrupted_ && parts->summary.termination == Termination::interrupted) keep_place();
  run_.summarise(parts->summary);
  return Model(std::move(parts));
}

EmModel Fitter::new_model(const memberships::MembershipEntry& membership,
                          const model::Inference& inference) const {
  EmModel model = make_model(data_, membership, inference, options().components, options().rates);
  model.smoothing = resolved_.smoothing();
  if (options().fit_smoothing) model.fit_smoothing();
  model.alpha = resolved_.alpha;
  if (resolved_.alpha_start > 0 && &membership == resolved_.membership) {
    model.membership->set_parameters(
        std::vector<double>(options().components, resolved_.alpha_start));
  }
  // Single membership has no use for the looser bound: the other one is exact.
  const LabelOptions& label = options().label;
  const bool paper = label.bound == LabelBound::paper && !membership.sole;
  if (resolved_.classes > 0)
    model.head = std::make_unique<heads::Softmax>(options().components, resolved_.classes,
                                                  paper ? heads::Bound::paper : heads::Bound::lse,
                                                  label.weight.value(), label.smoothing);
  return model;
}

void Fitter::run_restart() {
  const auto engine = make_engine(data_, new_model(*resolved_.membership, *resolved_.inference),
                                  options().seed + restart_);
  RunTrace trace;
  starts_ = {};
  begun_with_ = false;
  written_ = false;
  try {
    keeping([&] { keep_place(); }, [&] { run_restart(*engine, trace); });
  } catch (const Interrupted&) {
    interrupted_ = true;
    trace.termination = Termination::interrupted;
  }
  const core::Unstoppable short_work;
  if (interrupted_ && !begun_with_ && !starts_.parameters.empty()) {
    take_start(0, *engine);
    begun_with_ = true;
  }
  engine->flush();
  keep(*engine, std::move(trace));
}

void Fitter::run_restart(Engine& engine, RunTrace& trace) {
  const auto at = [&](Stage stage) { return resume_ && resume_->position.stage == stage; };
  if (at(Stage::fresh)) resume_.reset();
  if (at(Stage::fit)) {
    engine.restore(resume_->file, "run.");
    trace.restore(resume_->file, "course.");
    begun_with_ = true;
    resume_.reset();
  } else {
    if (at(Stage::choosing)) {
      engine.restore(resume_->file, "start.");
      begun_with_ = true;
      starts_ = read_starts(resume_->file);
    } else if (at(Stage::lead_in)) {
      engine.restore(resume_->file, "start.");
      begun_with_ = true;
      lead_in(engine);
    } else {
      begin(engine);
    }
    choose(engine, trace);
    resume_.reset();
    engine.begin_fit();
  }
  go(engine, trace, {options().tolerance, options().max_iterations}, Stage::fit);
  keeping([&] { write(Stage::fit, engine, trace); }, [&] { engine.finish_fit(); });
  if (engine.model().head && options().label.objective == LabelObjective::conditional)
    fine_tune(engine, trace);
}

void Fitter::fine_tune(Engine& engine, const RunTrace& trace) {
  core::TensorFile before;
  if (core::may_be_stopped()) engine.save(before, "");
  const auto put_back = [&] { engine.restore(before, ""); };
  keeping(
      [&] {
        put_back();
        write(Stage::fit, engine, trace);
      },
      [&] {
        engines::fine_tune(data_, data_.label, engine.model(), *engine.model().head,
                           {.pull = options().label.pull.value()});
      });
}

void Fitter::write(Stage stage, const Engine& engine, const RunTrace& trace,
                   const core::TensorFile& more) {
  run_.keep([&] { return checkpoint_of({restart_, stage}, engine, trace, finished_, more); });
}

void Fitter::keep_place() {
  if (!resume_) run_.keep([&] { return checkpoint_of(restart_, finished_); });
}

void Fitter::choose(Engine& engine, RunTrace& trace) {
  if (start_ != nullptr || options().init == "collapsed" || options().max_iterations < kChoosing)
    return;
  const bool from_starts = starts_.parameters.size() > 1;
  auto candidates = from_starts ? start_candidates(engine) : engine.candidates();
  if (candidates.empty()) return;
  Contest contest(
      std::move(candidates),
      from_starts ? std::vector<Round>{{kFirstLook, 3}, {kSecondLook, 2}, {kChoosing, 1}}
                  : std::vector<Round>{{kFirstLook, 2, kClose}, {kAfterAlpha, 2}, {kChoosing, 1}});
  core::TensorFile start;
  engine.save(start, "start.");
  save_starts(starts_, start);
  if (resume_ && resume_->position.stage == Stage::choosing)
    contest.restore(resume_->file, "contest.");
  const auto write_contest = [&] {
    core::TensorFile more = start;
    contest.save(more, "contest.");
    write(Stage::choosing, engine, trace, more);
  };
  keeping(write_contest, [&] {
    contest.run(engine, [&](const Contest::Step& step) {
      rows_seen_ += all_.rows;
      report(step);
      after_iteration(write_contest);
    });
  });
  trace.tried = contest.tried();
}

std::vector<Candidate> Fitter::start_candidates(const Engine& engine) const {
  const auto fresh = std::make_shared<core::TensorFile>();
  engine.save(*fresh, "");
  const std::string of = " of " + std::to_string(starts_.tried);
  std::vector<Candidate> out;
  for (std::size_t i = 0; i < starts_.parameters.size(); ++i) {
    out.push_back(
        {"start " + std::to_string(starts_.number[i] + 1) + of, [this, fresh, i](Engine& e) {
           e.restore(*fresh, "");
           take_start(i, e);
         }});
  }
  return out;
}

void Fitter::go(Engine& engine, RunTrace& trace, const RunLimits& limits, Stage stage,
                const core::TensorFile& more) {
  const auto write_run = [&] { write(stage, engine, trace, more); };
  keeping(write_run, [&] {
    engines::run(engine, trace, limits, [&] {
      rows_seen_ += all_.rows;
      report(trace, limits.tolerance * engine.strictness(), stage != Stage::fit);
      after_iteration(write_run);
    });
  });
}

Progress Fitter::progress(const std::string& stage, std::size_t iteration, double bound) const {
  Progress p;
  p.restart = restart_;
  p.restarts = options().restarts;
  p.stage = stage;
  p.iteration = iteration;
  p.bound = bound;
  p.rows_seen = rows_seen_;
  return p;
}

void Fitter::report(const Contest::Step& step) const {
  if (run_.heard()) run_.tell(progress(step.candidate, step.iteration, step.bound));
}

void Fitter::report(const RunTrace& trace, double tolerance, bool starting) const {
  if (!run_.heard()) return;
  Progress p = progress(starting ? "start" : "fit", trace.iterations(), trace.bound.back());
  p.leave_one_out = starting ? options().init == "collapsed" : resolved_.inference->leave_one_out;
  p.change = trace.change();
  const double left = trace.iterations_left(tolerance), seconds = run_.seconds();
  const double per_iteration =
      static_cast<double>(all_.rows) * seconds / static_cast<double>(rows_seen_);
  if (left >= 0) {
    const auto more = static_cast<double>(options().restarts - restart_ - 1);
    const double others = more * seconds / static_cast<double>(restart_ + 1);
    p.seconds_left = left * per_iteration + others;
  }
  run_.tell(p);
}

void Fitter::keep(Engine& engine, RunTrace trace) {
  const bool first = finished_.runs.empty();
  const auto value = [](const RunTrace& c) {
    return c.bound.empty() ? -std::numeric_limits<double>::infinity() : c.bound.back();
  };
  if (first || value(trace) > value(finished_.runs[finished_.best])) {
    finished_.best = finished_.runs.size();
    finished_.best_model = {};
    if (begun_with_) save_parameters(engine.model(), finished_.best_model, "best.");
  }
  finished_.runs.push_back(std::move(trace));
}
}  // namespace medley::engines
