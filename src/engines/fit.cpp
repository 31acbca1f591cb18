// SPDX-License-Identifier: Apache-2.0
// Fitting from data to model: restarts, each a start and a course of an engine; the best is kept.
#include "medley/fit.hpp"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <limits>
#include <numeric>
#include <optional>

#include "core/files.hpp"
#include "core/parallel.hpp"
#include "core/task.hpp"
#include "data/distinct.hpp"
#include "data/memory_rows.hpp"
#include "engines/checkpoint.hpp"
#include "engines/collapsed.hpp"
#include "engines/conditional.hpp"
#include "engines/contest.hpp"
#include "engines/course.hpp"
#include "engines/finish.hpp"
#include "engines/fit_head.hpp"
#include "engines/multistart.hpp"
#include "engines/registry.hpp"
#include "engines/start_file.hpp"
#include "engines/starts.hpp"
#include "engines/stochastic_fit.hpp"
#include "engines/succession.hpp"
#include "engines/variational_em.hpp"
#include "kernels/lanes.hpp"
#include "medley/error.hpp"
#include "memberships/registry.hpp"
#include "model/model.hpp"
#include "model/resolve.hpp"

namespace medley {
namespace engines {
namespace {

constexpr std::size_t kLeadIn = 20;  // iterations of the membership that another one follows
constexpr std::size_t kStartIterations = 200;  // at most, of the single-membership fit
// Of collapsed inference before mean-field: 60 or all 93 sweeps end no higher (AP, K = 50).
constexpr std::size_t kCollapsedSweeps = 25;
// Iterations after which candidates for the beginning are compared. Where warm rows win they lead
// after 8 of them by a third or more of what they have gained; MovieLens ends higher with cold rows
// though warm ones lead by a tenth. Which alpha is best shows 10 to 20 after it was held.
constexpr std::size_t kFirstLook = 8, kSecondLook = 20, kChoosing = 40;
constexpr std::size_t kAfterAlpha = VariationalEm::kHeld + 10;
constexpr double kClose = 0.2;

// Of a start by its name.
std::vector<double> memberships_of(const std::string& init, Engine& engine, StartSeed seed,
                                   std::size_t swaps = 0) {
  const Dataset& data = *engine.data().data;
  const std::size_t components = engine.model().membership->components();
  if (init == "random") return random_rows(data, components, seed);
  if (init == "sample") return sampled_memberships(data, components, seed);
  return kmeans(engine, seed, swaps);
}

class Fitter {
 public:
  /// `start` may be null: then it begins as the options say.
  Fitter(const Dataset& all, model::Resolved resolved, const Hooks& hooks, const Model* start)
      : all_(all),
        resolved_(std::move(resolved)),
        hooks_(hooks),
        start_(start),
        begun_(std::chrono::steady_clock::now()) {
    const bool labels = resolved_.classes > 0 || options().init == "labels";
    distinct_ = data::distinct_rows(all, labels ? data::Fold::cells_and_label : data::Fold::cells);
    data_ = prepare(distinct_->data, options().threads);
    data_.variance_floor = options().variance_floor;
    data_.own = engine_data(data_, *resolved_.inference, options());
    if (!options().checkpoint.empty()) fingerprint_ = fingerprint(*data_.data, options());
  }

  Model run() {
    if (options().resume && std::filesystem::exists(options().checkpoint)) {
      resume_ = read_checkpoint(options().checkpoint, fingerprint_);
      finished_ = resume_->finished;
      restart_ = resume_->position.restart;
    }
    for (; restart_ < options().restarts && !interrupted_; ++restart_) run_restart();
    EmModel best = new_model(*resolved_.membership, *resolved_.inference);
    if (!finished_.best_model.tensors.empty())
      restore_parameters(finished_.best_model, "best.", best);
    data_ = {};  // the rows are scored and counted afresh: what EM needed would only take room
    distinct_.reset();
    auto parts = finish(all_, resolved_, std::move(best), finished_);
    if (!interrupted_ && parts->summary.termination == Termination::interrupted) keep_place();
    parts->summary.seconds = seconds();
    parts->summary.peak_bytes = core::peak_memory();
    return Model(std::move(parts));
  }

 private:
  [[nodiscard]] const FitOptions& options() const { return resolved_.options; }

  [[nodiscard]] double seconds() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begun_).count();
  }

  [[nodiscard]] EmModel new_model(const memberships::MembershipEntry& membership,
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

  // Interrupted, it keeps what it has come to, in a checkpoint if there is to be one.
  void run_restart() {
    const auto engine = make_engine(data_, new_model(*resolved_.membership, *resolved_.inference),
                                    options().seed + restart_);
    Course course;
    starts_ = {};
    begun_with_ = false;
    written_ = false;
    try {
      keeping([&] { keep_place(); }, [&] { run_restart(*engine, course); });
    } catch (const Interrupted&) {
      interrupted_ = true;
      course.termination = Termination::interrupted;
    }
    const core::Unstoppable short_work;
    if (interrupted_ && !begun_with_ && !starts_.parameters.empty()) {
      take_start(0, *engine);
      begun_with_ = true;
    }
    engine->bring_up();
    keep(*engine, std::move(course));
  }

  void run_restart(Engine& engine, Course& course) {
    const auto at = [&](Stage stage) { return resume_ && resume_->position.stage == stage; };
    if (at(Stage::fresh)) resume_.reset();
    if (at(Stage::fit)) {
      engine.restore(resume_->file, "run.");
      course.restore(resume_->file, "course.");
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
      choose(engine, course);
      resume_.reset();
      engine.begin_fit();
    }
    go(engine, course, {options().tolerance, options().max_iterations}, Stage::fit);
    keeping([&] { write(Stage::fit, engine, course); }, [&] { engine.settle(); });
    if (engine.model().head && options().label.objective == LabelObjective::conditional)
      fine_tune(engine, course);
  }

  // Interrupted, it leaves the engine as it was.
  void fine_tune(Engine& engine, const Course& course) {
    core::TensorFile before;
    if (core::may_be_stopped()) engine.save(before, "");
    const auto put_back = [&] { engine.restore(before, ""); };
    keeping(
        [&] {
          put_back();
          write(Stage::fit, engine, course);
        },
        [&] {
          engines::fine_tune(data_, data_.label, engine.model(), *engine.model().head,
                             {.pull = options().label.pull.value()});
        });
  }

  // Does the work. Interrupted, it writes a checkpoint by `write`, unless work within has.
  template <class Write, class Work>
  void keeping(Write&& write, Work&& work) {
    try {
      work();
    } catch (const Interrupted&) {
      const core::Unstoppable short_work;
      if (!std::exchange(written_, true)) write();
      throw;
    }
  }

  void write(Stage stage, const Engine& engine, const Course& course,
             const core::TensorFile& more = {}) {
    if (options().checkpoint.empty()) return;
    care_.keep([&] {
      write_checkpoint(options().checkpoint, fingerprint_, {restart_, stage}, engine, course,
                       finished_, more);
    });
    last_checkpoint_ = seconds();
  }

  // That so many restarts are over, and this one is to be begun anew. What is there to be resumed,
  // and has not been looked at, says more.
  void keep_place() {
    if (options().checkpoint.empty() || resume_) return;
    care_.keep([&] { write_checkpoint(options().checkpoint, fingerprint_, restart_, finished_); });
  }

  // Tries ways to begin from the first tables.
  void choose(Engine& engine, Course& course) {
    if (start_ != nullptr || options().init == "collapsed" || options().max_iterations < kChoosing)
      return;
    const bool from_starts = starts_.parameters.size() > 1;
    auto candidates = from_starts ? start_candidates(engine) : engine.candidates();
    if (candidates.empty()) return;
    Contest contest(
        std::move(candidates),
        from_starts
            ? std::vector<Round>{{kFirstLook, 3}, {kSecondLook, 2}, {kChoosing, 1}}
            : std::vector<Round>{{kFirstLook, 2, kClose}, {kAfterAlpha, 2}, {kChoosing, 1}});
    core::TensorFile start;
    engine.save(start, "start.");
    save_starts(starts_, start);
    if (resume_ && resume_->position.stage == Stage::choosing)
      contest.restore(resume_->file, "contest.");
    const auto write_contest = [&] {
      core::TensorFile more = start;
      contest.save(more, "contest.");
      write(Stage::choosing, engine, course, more);
    };
    keeping(write_contest, [&] {
      contest.run(engine, [&](const Contest::Step& step) {
        rows_seen_ += all_.rows;
        report(step);
        after_iteration(write_contest);
      });
    });
    course.tried = contest.tried();
  }

  // The starts that are kept of many.
  std::vector<Candidate> start_candidates(const Engine& engine) const {
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

  // Gives the run its first tables.
  void begin(Engine& engine) {
    const StartSeed seed{options().seed, restart_};
    const std::string& init = options().init;
    const Dataset& data = *data_.data;
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
      begin_from(from_labels(data, options().components, seed), engine);
      if (options().components == data.label()->levels.size()) start_prior(engine.model());
    }
    if (engine.model().head && options().label.eta_start)
      head_from_identity(*options().label.eta_start, *engine.model().head);
    begun_with_ = true;
    if (resolved_.membership->precursor != nullptr) lead_in(engine);
  }

  // A few iterations of the membership that this one follows.
  void lead_in(Engine& engine) {
    const auto& entry = *resolved_.membership->precursor;
    VariationalEm first(data_, new_model(entry, model::usual_inference(entry)));
    EmModel& model = engine.model();
    core::TensorFile start;
    if (core::may_be_stopped()) engine.save(start, "start.");
    Course course;
    std::swap(first.model().families, model.families);
    first.model().membership->copy_prior_from(*model.membership);
    if (resume_ && resume_->position.stage == Stage::lead_in) {
      first.restore(resume_->file, "run.");
      course.restore(resume_->file, "course.");
      resume_.reset();
    }
    try {
      go(first, course, {options().tolerance, kLeadIn}, Stage::lead_in, start);
    } catch (const Interrupted&) {
      std::swap(first.model().families, model.families);
      throw;
    }
    std::swap(first.model().families, model.families);
    succeed(*data_.data, std::move(first.model().membership), *resolved_.inference, data_.threads,
            model);
  }

  // From memberships, rows x padded K.
  void begin_from(const std::vector<double>& memberships, Engine& engine) const {
    engine.start_from(memberships);
    if (engine.model().head)
      head_from_shares(data_, memberships, kernels::padded(options().components),
                       *engine.model().head);
  }

  // The start has set tables and prior, perhaps of a model without a label.
  void after_model(Engine& engine) const {
    apply_alpha_mode(engine.model());
    if (engine.model().head)
      head_from_shares(data_, sole_shares(engine), options().components, *engine.model().head);
  }

  // One component per class: alpha begins at their shares, as in the paper.
  void start_prior(EmModel& model) const {
    model.membership->set_parameters(class_shares(data_, options().components));
    apply_alpha_mode(model);
  }

  [[nodiscard]] bool is_single() const { return resolved_.membership->sole; }

  // How many starts are tried: as asked for, or as the engine wants.
  [[nodiscard]] StartsWanted tries(const Engine& engine) const {
    const StartsWanted wanted = engine.starts_wanted();
    if (options().tries == 0) return wanted;
    return {options().tries, std::min(options().tries, wanted.kept), wanted.swaps};
  }

  // The best of many short fits of single membership, to starts_.
  void search_starts(const Engine& engine, StartSeed seed) {
    const StartsWanted wanted = tries(engine);
    const auto& single = memberships::single_membership;
    EmModel model = new_model(single, model::usual_inference(single));
    model.smoothing.posterior = false;  // a start gives points
    starts_ = multistart(
        *data_.data, data_.threads, std::move(model), wanted, seed,
        [&](Engine& e, StartSeed s) { return memberships_of(options().init, e, s, wanted.swaps); });
    if (starts_.interrupted) throw Interrupted();
  }

  // Gives a fresh engine the tables and the prior of a start of single membership.
  void take_start(std::size_t index, Engine& engine) const {
    const auto& single = memberships::single_membership;
    EmModel start = new_model(single, model::usual_inference(single));
    restore_parameters(starts_.parameters[index], "", start);
    take_single(start, engine);
  }

  void take_single(const EmModel& start, Engine& engine) const {
    for (std::size_t b = 0; b < engine.model().families.size(); ++b)
      engine.model().families[b]->set_parameters(start.families[b]->parameters());
    engine.model().membership->copy_prior_from(*start.membership);
    apply_alpha_mode(engine.model());
    if (engine.model().head) engine.model().head->set_eta(start.head->eta());
  }

  // Latent classes first, then mixed membership from their tables, rows beginning in their classes
  // and with a small alpha: random starts of short rows fall into bad optima. Of several, each is
  // fitted to its end before mixed membership goes on from it.
  void begin_from_single(Engine& engine, StartSeed seed) {
    if (tries(engine).tried == 1) {
      Course course;
      const auto start =
          single_fit(course, [&](VariationalEm& em) { begin_from(kmeans(em, seed), em); });
      take_single(start->model(), engine);
      engine.start_states(start->states());
      return;
    }
    resume_.reset();  // short fits are done again
    search_starts(engine, seed);
    for (std::size_t i = 0; i < starts_.parameters.size(); ++i) {
      Course course;
      const auto start = single_fit(course, [&](VariationalEm& em) { take_start(i, em); });
      starts_.parameters[i] = {};
      save_parameters(start->model(), starts_.parameters[i], "");
      if (i == 0) engine.start_states(start->states());
    }
    take_start(0, engine);
  }

  // Words: topics by collapsed inference, which random starts of mean-field do not find. Rows then
  // begin afresh.
  void begin_from_collapsed(Engine& engine, StartSeed seed) {
    EmModel model = new_model(*resolved_.membership, model::collapsed_inference);
    model.smoothing.posterior = false;  // a start gives points
    Collapsed start(data_, std::move(model));
    Course course;
    if (resume_) {
      start.restore(resume_->file, "run.");
      course.restore(resume_->file, "course.");
    } else {
      begin_from(sampled_memberships(*data_.data, options().components, seed), start);
    }
    resume_.reset();
    const auto take = [&] {
      const core::Unstoppable short_work;
      start.bring_up();
      for (std::size_t b = 0; b < engine.model().families.size(); ++b)
        engine.model().families[b]->set_parameters(start.model().families[b]->parameters());
      engine.model().membership->set_parameters(start.model().membership->parameters());
      apply_alpha_mode(engine.model());
      begun_with_ = true;
    };
    try {
      go(start, course, {options().tolerance, kCollapsedSweeps}, Stage::start);
    } catch (const Interrupted&) {
      take();
      throw;
    }
    take();
  }

  // Taken up from where a checkpoint left it, or begun as `begin` says.
  std::unique_ptr<VariationalEm> single_fit(Course& course,
                                            const std::function<void(VariationalEm&)>& begin) {
    const auto& single = memberships::single_membership;
    EmModel model = new_model(single, model::usual_inference(single));
    model.smoothing.posterior = false;  // a start gives points
    auto start = std::make_unique<VariationalEm>(data_, std::move(model));
    if (resume_) {
      start->restore(resume_->file, "run.");
      course.restore(resume_->file, "course.");
    } else {
      begin(*start);
    }
    resume_.reset();
    try {
      go(*start, course, {options().tolerance, kStartIterations}, Stage::start);
    } catch (const Interrupted&) {
      if (starts_.parameters.empty())
        save_parameters(start->model(), starts_.parameters.emplace_back(), "");
      throw;
    }
    return start;
  }

  // Makes a prior that came from elsewhere what --alpha asks for: given, or common to all
  // components (levelling an uneven one later would lower the bound).
  void apply_alpha_mode(EmModel& model) const {
    const bool has_alpha = resolved_.alpha_start > 0;
    if (resolved_.alpha == AlphaMode::fitted || !has_alpha) return;
    double value = resolved_.alpha_start;
    if (resolved_.alpha == AlphaMode::symmetric) {
      const auto alpha = model.membership->parameters();
      value = std::accumulate(alpha.begin(), alpha.end(), 0.0) / static_cast<double>(alpha.size());
    }
    model.membership->set_parameters(std::vector<double>(options().components, value));
  }

  // `more`: what a checkpoint of this stage has to hold besides.
  void go(Engine& engine, Course& course, const CourseLimits& limits, Stage stage,
          const core::TensorFile& more = {}) {
    const auto write_run = [&] { write(stage, engine, course, more); };
    keeping(write_run, [&] {
      engines::run(engine, course, limits, [&] {
        rows_seen_ += all_.rows;
        report(course, limits.tolerance * engine.strictness(), stage != Stage::fit);
        after_iteration(write_run);
      });
    });
  }

  // Writes a checkpoint if it is time; that of a fit that is stopped others write.
  template <class Write>
  void after_iteration(Write&& write) {
    if (!options().checkpoint.empty() &&
        seconds() - last_checkpoint_ > options().checkpoint_seconds) {
      write();
      written_ = core::asked_to_stop();  // meanwhile: it is that of the interruption
    }
    core::stop_if_asked();
  }

  void report(const Contest::Step& step) const {
    if (!hooks_.progress) return;
    Progress p;
    p.restart = restart_;
    p.restarts = options().restarts;
    p.stage = step.candidate;
    p.iteration = step.iteration;
    p.bound = step.bound;
    p.seconds = seconds();
    p.rows_seen = rows_seen_;
    hooks_.progress(p);
  }

  void report(const Course& course, double tolerance, bool starting) const {
    if (!hooks_.progress) return;
    Progress p;
    p.restart = restart_;
    p.restarts = options().restarts;
    p.stage = starting ? "start" : "fit";
    p.iteration = course.iterations();
    p.bound = course.bound.back();
    p.leave_one_out = starting ? options().init == "collapsed" : resolved_.inference->leave_one_out;
    p.change = course.change();
    p.seconds = seconds();
    p.rows_seen = rows_seen_;
    const double left = course.iterations_left(tolerance);
    const double per_iteration =
        static_cast<double>(all_.rows) * p.seconds / static_cast<double>(rows_seen_);
    if (left >= 0) {
      const auto more = static_cast<double>(options().restarts - restart_ - 1);
      const double others = more * p.seconds / static_cast<double>(restart_ + 1);
      p.seconds_left = left * per_iteration + others;
    }
    hooks_.progress(p);
  }

  void keep(Engine& engine, Course course) {
    const bool first = finished_.courses.empty();
    const auto value = [](const Course& c) {
      return c.bound.empty() ? -std::numeric_limits<double>::infinity() : c.bound.back();
    };
    if (first || value(course) > value(finished_.courses[finished_.best])) {
      finished_.best = finished_.courses.size();
      finished_.best_model = {};
      if (begun_with_) save_parameters(engine.model(), finished_.best_model, "best.");
    }
    finished_.courses.push_back(std::move(course));
  }

  const Dataset& all_;
  model::Resolved resolved_;
  const Hooks& hooks_;
  const Model* start_;
  std::chrono::steady_clock::time_point begun_;
  std::optional<data::DistinctRows> distinct_;
  EmData data_;
  std::string fingerprint_;
  std::optional<Checkpoint> resume_;
  Finished finished_;
  Multistart starts_;  // of this restart
  std::size_t restart_ = 0, rows_seen_ = 0;
  double last_checkpoint_ = 0;
  CheckpointCare care_{options().checkpoint, hooks_};
  bool interrupted_ = false;
  bool begun_with_ = false;  // the engine of this restart has tables
  bool written_ = false;     // the checkpoint of the interruption
};

}  // namespace
}  // namespace engines

Model fit(const Dataset& data, const FitOptions& options, const Hooks& hooks) {
  const core::Task task(hooks.stop);
  if (model::minibatch(options, data.rows) > 0) {
    check(data);
    return engines::fit_in_minibatches(data::MemoryRows(data), options, hooks, {});
  }
  model::Resolved resolved = model::resolve(data, options);
  if (const auto sample = engines::engine_of(*resolved.inference).sample; sample != nullptr)
    return sample(data, resolved, hooks);
  return engines::Fitter(data, std::move(resolved), hooks, nullptr).run();
}

Model fit(const Dataset& data, const FitOptions& options, const Model& start, const Hooks& hooks) {
  const core::Task task(hooks.stop);
  FitOptions once = options;
  once.init.clear();
  once.restarts = 1;
  if (model::minibatch(options, data.rows) > 0) {
    check(data);
    return engines::fit_in_minibatches(data::MemoryRows(data), once, hooks, {.start = &start});
  }
  model::Resolved resolved = model::resolve(data, once);
  if (const auto sample = engines::engine_of(*resolved.inference).sample; sample != nullptr)
    return sample(data, resolved, hooks);
  resolved.options.init = model::kModelStart;
  return engines::Fitter(data, std::move(resolved), hooks, &start).run();
}

}  // namespace medley
