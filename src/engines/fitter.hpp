// SPDX-License-Identifier: Apache-2.0
// Fitting a model to rows that are all there, from options to model: restarts, each a start and a
// run of an engine; the best is kept. How a restart gets its first tables is in
// first_tables.cpp.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/task.hpp"
#include "data/distinct.hpp"
#include "engines/checkpoint.hpp"
#include "engines/contest.hpp"
#include "engines/fit_run.hpp"
#include "engines/multistart.hpp"
#include "engines/run_trace.hpp"
#include "engines/variational_em.hpp"
#include "medley/error.hpp"
#include "medley/model.hpp"
#include "model/resolve.hpp"

namespace medley::engines {

class Fitter {
 public:
  /// `start` may be null: then it begins as the options say. `across`: who else has rows; then
  /// equal rows are not folded, as nobody knows those of the others.
  Fitter(const Dataset& all, model::Resolved resolved, const Hooks& hooks, const Model* start,
         core::Reducer& across = core::alone());
  Model run();

 private:
  [[nodiscard]] const FitOptions& options() const { return resolved_.options; }
  [[nodiscard]] EmModel new_model(const memberships::MembershipEntry& membership,
                                  const model::Inference& inference) const;
  // Interrupted, it keeps what it has come to, in a checkpoint if there is to be one.
  void run_restart();
  void run_restart(Engine& engine, RunTrace& trace);
  // Interrupted, it leaves the engine as it was.
  void fine_tune(Engine& engine, const RunTrace& trace);
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
  void write(Stage stage, const Engine& engine, const RunTrace& trace,
             const core::TensorFile& more = {});
  // That so many restarts are over, and this one is to be begun anew. What is there to be resumed,
  // and has not been looked at, says more.
  void keep_place();
  // Tries ways to begin from the first tables.
  void choose(Engine& engine, RunTrace& trace);
  // The starts that are kept of many.
  std::vector<Candidate> start_candidates(const Engine& engine) const;
  // Gives the run its first tables.
  void begin(Engine& engine);
  // A few iterations of the membership that this one follows.
  void lead_in(Engine& engine);
  // From memberships, rows x padded K.
  void begin_from(const std::vector<double>& memberships, Engine& engine) const;
  // The start has set tables and prior, perhaps of a model without a label.
  void after_model(Engine& engine) const;
  // One component per class: alpha begins at their shares, as in the paper.
  void start_prior(EmModel& model) const;
  [[nodiscard]] bool is_single() const { return resolved_.membership->sole; }
  // How many starts are tried: as asked for, or as the engine wants.
  [[nodiscard]] StartsWanted tries(const Engine& engine) const;
  // The best of many short fits of single membership, to starts_.
  void search_starts(const Engine& engine, StartSeed seed);
  // Gives a fresh engine the tables and the prior of a start of single membership.
  void take_start(std::size_t index, Engine& engine) const;
  void take_single(const EmModel& start, Engine& engine) const;
  // Latent classes first, then mixed membership from their tables, rows beginning in their classes
  // and with a small alpha: random starts of short rows fall into bad optima. Of several, each is
  // fitted to its end before mixed membership goes on from it.
  void begin_from_single(Engine& engine, StartSeed seed);
  // Words: topics by collapsed inference, which random starts of mean-field do not find. Rows then
  // begin afresh.
  void begin_from_collapsed(Engine& engine, StartSeed seed);
  // Taken up from where a checkpoint left it, or begun as `begin` says.
  std::unique_ptr<VariationalEm> single_fit(RunTrace& trace,
                                            const std::function<void(VariationalEm&)>& begin);
  // Makes a prior that came from elsewhere what --alpha asks for: given, or common to all
  // components (levelling an uneven one later would lower the bound).
  void apply_alpha_mode(EmModel& model) const;
  // `more`: what a checkpoint of this stage has to hold besides.
  void go(Engine& engine, RunTrace& trace, const RunLimits& limits, Stage stage,
          const core::TensorFile& more = {});
  // Writes a checkpoint if it is time; that of a fit that is stopped others write.
  template <class Write>
  void after_iteration(Write&& write) {
    if (run_.due()) {
      write();
      written_ = core::asked_to_stop();  // meanwhile: it is that of the interruption
    }
    run_.stop_if_asked();
  }
  // Of this restart.
  [[nodiscard]] Progress progress(const std::string& stage, std::size_t iteration,
                                  double bound) const;
  void report(const Contest::Step& step) const;
  void report(const RunTrace& trace, double tolerance, bool starting) const;
  void keep(Engine& engine, RunTrace trace);
  const Dataset& all_;
  model::Resolved resolved_;
  const Model* start_;
  core::Reducer& across_;
  FitRun run_;
  std::optional<data::DistinctRows> distinct_;
  EmData data_;
  std::optional<Checkpoint> resume_;
  Finished finished_;
  Multistart starts_;  // of this restart
  std::size_t restart_ = 0;
  std::size_t rows_seen_ = 0;
  bool interrupted_ = false;
  bool begun_with_ = false;  // the engine of this restart has tables
  bool written_ = false;     // the checkpoint of the interruption
};

}  // namespace medley::engines
