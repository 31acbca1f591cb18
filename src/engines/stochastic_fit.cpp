// SPDX-License-Identifier: Apache-2.0
#include "engines/stochastic_fit.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>
#include <utility>

#include "core/parallel.hpp"
#include "core/task.hpp"
#include "core/text.hpp"
#include "data/memory_rows.hpp"
#include "data/select_rows.hpp"
#include "data/slot_index.hpp"
#include "engines/batch_plan.hpp"
#include "engines/build_model.hpp"
#include "engines/checkpoint.hpp"
#include "engines/fit_run.hpp"
#include "engines/starts.hpp"
#include "engines/stochastic_start.hpp"
#include "kernels/lanes.hpp"
#include "medley/error.hpp"
#include "model/read.hpp"
#include "model/row_solver.hpp"
#include "model/split_observations.hpp"

namespace medley {
namespace engines {
namespace {

// Rows on which columns are looked at and the start is found.
constexpr std::size_t kSampleRows = 10'000;
// Every so many minibatches one is scored before it is learnt, up to so many rows of it.
constexpr std::size_t kScoreEvery = 10;
constexpr std::size_t kScoredRows = 256;
// The prior waits for so many minibatches: the first tables say little about it, and a component
// that they hardly use would never come back.
constexpr std::size_t kPriorWaits = 10;
// Fitting the smoothing looks at every word of the vocabulary: not in every step.
constexpr std::size_t kSmoothingEvery = 10;

class StochasticFitter {
 public:
  StochasticFitter(const RowSource& rows, const FitOptions& options, const Hooks& hooks,
                   const StochasticTask& task)
      : rows_(rows),
        start_(task.start),
        before_(task.before),
        run_(options, hooks),
        sample_(sample_of(rows, options)),
        resolved_(model::resolve(
            sample_, stochastic_options(options, rows.rows(), task.streamed, rows.shape()))),
        sample_data_(prepare(sample_, options.threads)),
        plan_(rows.rows(), this->options().batch, options.seed) {
    sample_data_.variance_floor = this->options().variance_floor;
    if (start_ != nullptr) resolved_.options.init = model::kModelStart;
    if (resolved_.inference->needs(model::Need::all_rows))
      throw InputError({core::setting("inference", this->options().inference),
                        "cannot be learnt in minibatches", "use standard, fast or collapsed"});
    run_.identify([&] {
      return fingerprint(rows.shape(), this->options()) + " " + rows.fingerprint() + " " +
             task.mark;
    });
    if (before_ != nullptr) earlier_ = learnt_before(*before_, this->options().batch);
  }

  Model run() {
    std::optional<StochasticEm> engine;
    try {
      engine.emplace(begin());
      learn(*engine);
    } catch (const Interrupted&) {
      const core::Unstoppable short_work;
      trace_.termination = Termination::interrupted;
      // Before the first step the tables are the start's, which statistics do not tell: it is found
      // again, with the same bits.
      if (engine && trace_.iterations() > 0) keep_safe(*engine);
    }
    const bool begun = engine.has_value();
    if (!begun) engine.emplace(new_model(0), options().threads);
    Finished finished;
    finished.runs.push_back(trace_);
    const double learnt_in = run_.seconds();
    auto parts = build_streamed_model({rows_, sample_, resolved_, before_, begun,
                                       [&](std::size_t rows) { tell_count(rows, learnt_in); }},
                                      engine->take(), finished);
    parts->summary.steps += earlier_.steps;
    if (before_ != nullptr && before_->inference() != options().inference)
      parts->summary.why_inference =
          "The model was fitted by " + before_->inference() +
          " inference, which needs all rows at once: the update learnt by " + options().inference +
          " inference.";
    parts->summary.rows_learnt = rows_learnt_;
    parts->summary.seconds_learning = learnt_in;
    run_.summarise(parts->summary);
    return Model(std::move(parts));
  }

 private:
  [[nodiscard]] static Dataset sample_of(const RowSource& rows, const FitOptions& options) {
    return rows.batch(spread_sample(rows.rows(), kSampleRows, options.seed));
  }

  [[nodiscard]] const FitOptions& options() const { return resolved_.options; }

  // The step from which on the model has its own membership rather than the one it follows.
  [[nodiscard]] std::size_t change_at() const {
    if (resolved_.membership->precursor == nullptr || before_ != nullptr) return 0;
    const auto passes = static_cast<double>(options().passes);
    const double first = std::clamp(passes / 3, 0.5, 2.0);
    return integer_of<std::size_t>(std::ceil(first * static_cast<double>(plan_.steps())));
  }

  // D: those before an update too.
  [[nodiscard]] double all_rows() const {
    return static_cast<double>(earlier_.rows + rows_.rows());
  }

  // With the membership of that step.
  [[nodiscard]] EmModel new_model(std::size_t step) const {
    const bool leads_in = step < change_at();
    const auto& entry = leads_in ? *resolved_.membership->precursor : *resolved_.membership;
    EmModel model = make_model(sample_data_, entry,
                               leads_in ? model::usual_inference(entry) : *resolved_.inference,
                               options().components, options().rates);
    model.smoothing = resolved_.smoothing();
    if (before_ != nullptr) model.each = before_->summary().smoothing;
    if (options().fit_smoothing && model.each.empty()) model.fit_smoothing();
    model.alpha = resolved_.alpha;
    if (resolved_.alpha_start > 0)
      model.membership->set_parameters(
          std::vector<double>(options().components, resolved_.alpha_start));
    return model;
  }

  StochasticEm begin() {
    if (!run_.resumes()) {
      if (before_ == nullptr)
        return stochastic_start(sample_data_, resolved_, start_, new_model(0), rows_.rows());
      return engine_from(*before_, new_model(0), options().threads, all_rows());
    }
    const Checkpoint checkpoint = read_checkpoint(options().checkpoint, run_.fingerprint());
    trace_.restore(checkpoint.file, "course.");
    const std::size_t done = trace_.iterations();
    StochasticEm engine(new_model(done > 0 ? done - 1 : 0), options().threads);
    engine.restore(checkpoint.file, "run.");
    return engine;
  }

  // The place in the passes is the number of steps so far.
  void learn(StochasticEm& engine) {
    const std::size_t all = plan_.steps() * options().passes;
    trace_.termination = Termination::passes_done;
    resumed_at_ = trace_.iterations();
    while (trace_.iterations() < all) {
      core::stop_if_asked();
      const std::size_t at = trace_.iterations();
      learn_step(engine, at, all);
      // After the last minibatch too: scoring the rows of a large file takes a while.
      if (run_.due() || trace_.iterations() == all) keep_safe(engine);
    }
  }

  void learn_step(StochasticEm& engine, std::size_t at, std::size_t all) {
    // A checkpoint between a change of membership and the step that follows could not be read.
    std::optional<core::Unstoppable> whole;
    if (at > 0 && at == change_at()) {
      whole.emplace();
      engine.change_membership(sample_,
                               resolved_.membership->make(options().components, options().rates),
                               *resolved_.inference);
    }
    const Dataset batch = rows_.batch(plan_.ranges(at / plan_.steps(), at % plan_.steps()));
    std::optional<double> score;
    if (run_.heard() && at % kScoreEvery == kScoreEvery - 1) {
      const core::Unstoppable short_work;
      score = held_out_score(engine.running(), batch, kScoredRows, options().seed + at,
                             options().threads);
    }
    learn(engine, batch, earlier_.steps + at + 1);
    rows_learnt_ += batch.rows;
    report(all, score);
  }

  void learn(StochasticEm& engine, const Dataset& batch, std::size_t t) {
    StochasticStep how;
    how.rho = step_size(options(), t);
    how.scale = all_rows() / static_cast<double>(batch.rows);
    how.prior = t > std::min(kPriorWaits, plan_.steps() * options().passes / 2);
    how.smoothing = options().fit_smoothing && how.prior && t % kSmoothingEvery == 0;
    // Without the log prior of the tables: it would take longer than a step that meets few words.
    trace_.bound.push_back(how.scale * engine.step(batch, how));
  }

  void keep_safe(const StochasticEm& engine) {
    run_.keep([&] {
      core::TensorFile file;
      file.put("position", std::vector<std::int64_t>{0, 0, 0, 0});
      engine.save(file, "run.");
      trace_.save(file, "course.");
      return file;
    });
  }

  // Called while the rows are counted at the end.
  void tell_count(std::size_t rows, double since) const {
    Progress p;
    p.stage = "counting the rows";
    p.rows_seen = rows_learnt_;
    p.seconds_left = (run_.seconds() - since) *
                     (static_cast<double>(rows_.rows()) / static_cast<double>(rows) - 1.0);
    run_.tell(p);
  }

  void report(std::size_t all, const std::optional<double>& score) const {
    if (!run_.heard()) return;
    Progress p;
    p.stage = "fit";
    p.iteration = trace_.iterations();
    p.bound = trace_.bound.back();
    p.leave_one_out = resolved_.inference->leave_one_out;
    p.change = trace_.change();
    p.rows_seen = rows_learnt_;
    p.score = score;
    const auto done = static_cast<double>(trace_.iterations() - resumed_at_);
    p.seconds_left = run_.seconds() / done * static_cast<double>(all - trace_.iterations());
    run_.tell(p);
  }

  const RowSource& rows_;
  const Model* start_;
  const Model* before_;
  LearntBefore earlier_;
  FitRun run_;
  Dataset sample_;
  model::Resolved resolved_;
  EmData sample_data_;
  BatchPlan plan_;
  RunTrace trace_;
  std::size_t resumed_at_ = 0, rows_learnt_ = 0;
};

}  // namespace

Model fit_in_minibatches(const RowSource& rows, const FitOptions& options, const Hooks& hooks,
                         const StochasticTask& task) {
  const core::Task in_force(hooks.stop);
  return StochasticFitter(rows, options, hooks, task).run();
}

}  // namespace engines

Model fit(const RowSource& rows, const FitOptions& options, const Hooks& hooks) {
  return engines::fit_in_minibatches(model::CheckedRows(rows), options, hooks, {true});
}

Model fit(const RowSource& rows, const FitOptions& options, const Model& start,
          const Hooks& hooks) {
  FitOptions once = options;
  once.init.clear();
  return engines::fit_in_minibatches(model::CheckedRows(rows), once, hooks,
                                     {.streamed = true, .start = &start});
}

}  // namespace medley

namespace medley::engines {

namespace {

constexpr std::size_t kParts = 3;
constexpr std::size_t kHeldOutRowChunk = 16;
constexpr memberships::Limits kHeldOutLimits{1e-3, 50};

// log-likelihood of the tested cells given the observed ones, summed over rows.
double score_part(const model::EStepModel& parts, const Dataset& tested, const Dataset& observed,
                  std::size_t threads) {
  const std::size_t components = parts.membership->components();
  const std::size_t chunks = (tested.rows + kHeldOutRowChunk - 1) / kHeldOutRowChunk;
  std::vector<double> sum(chunks, 0.0);
  core::parallel_for(chunks, threads, [&](std::size_t chunk, std::size_t) {
    model::RowSolver solver(parts, observed);
    std::vector<double> state(parts.membership->state_size());
    std::vector<double> share(kernels::padded(components), 0.0);
    for (std::size_t row = chunk * kHeldOutRowChunk;
         row < std::min(tested.rows, (chunk + 1) * kHeldOutRowChunk); ++row) {
      parts.membership->start(observed.observed(row), state);
      solver.solve(row, kHeldOutLimits, model::Precision::training, state);
      parts.membership->shares(state, std::span(share).first(components));
      for (std::size_t b = 0; b < tested.blocks.size(); ++b)
        sum[chunk] += model::score_cells(*parts.families[b], tested.blocks[b], row, share);
    }
  });
  return std::accumulate(sum.begin(), sum.end(), 0.0);
}

}  // namespace

std::optional<double> held_out_score(EmModel& model, const Dataset& rows, std::size_t most_rows,
                                     std::uint64_t seed, std::size_t threads) {
  std::vector<std::size_t> chosen(std::min(rows.rows, most_rows));
  std::iota(chosen.begin(), chosen.end(), std::size_t{0});
  const Dataset some = data::select_rows(rows, chosen);
  // As points, as every later score.
  std::vector<std::vector<double>> strengths;
  for (std::size_t b = 0; b < model.families.size(); ++b) {
    strengths.push_back(model.families[b]->take_strengths());
    model.families[b]->prepare_for(data::transpose(some.blocks[b]), model.rows().pooled());
  }
  const auto families = model.family_pointers();
  const model::EStepModel parts{families, model.membership.get(), model.inference};
  std::vector<Dataset> dealt =
      model::split_observations(some, kParts, seed, static_cast<std::uint64_t>(Purpose::deal));
  double sum = 0, observations = 0;
  for (std::size_t p = 0; p < kParts; ++p) {
    const Dataset observed = model::without(dealt, p);
    model::empty_short_rows(some, kParts, dealt[p]);
    sum += score_part(parts, dealt[p], observed, core::thread_count(threads));
    for (std::size_t row = 0; row < some.rows; ++row) observations += dealt[p].observed(row);
  }
  for (std::size_t b = 0; b < model.families.size(); ++b) {
    if (!strengths[b].empty()) model.families[b]->set_strengths(strengths[b]);
  }
  if (observations <= 0) return std::nullopt;
  return sum / observations;
}

}  // namespace medley::engines
