// SPDX-License-Identifier: Apache-2.0
// An engine fits the parameters of a model by repeating one iteration that never lowers its
// objective, penalised with the log prior of the tables. What every engine has in common is here:
// the data, the model, starting from given memberships, saving and taking up again. fit.cpp runs
// any of them and does not know which.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/reducer.hpp"
#include "core/safetensors.hpp"
#include "data/slot_index.hpp"
#include "engines/statistics.hpp"
#include "families/family.hpp"
#include "heads/softmax.hpp"
#include "medley/data.hpp"
#include "medley/options.hpp"
#include "memberships/membership.hpp"
#include "model/inference.hpp"

namespace medley::engines {

struct Candidate;  // engines/contest.hpp

/// What an engine makes of the data for itself, shared by all restarts.
struct EngineData {
  EngineData() = default;
  virtual ~EngineData() = default;
  EngineData(const EngineData&) = delete;
  EngineData& operator=(const EngineData&) = delete;
};

/// Data as EM wants it; shared by all restarts. Where several processes fit one model, each has
/// some of the rows: rank 0 the first ones, and so on.
struct EmData {
  const Dataset* data = nullptr;
  std::vector<data::Columns> columns;  ///< per block
  std::span<const std::int32_t> label =
      {};  ///< per row, its class; below 0: not known; may be empty
  std::size_t threads = 1;
  double variance_floor = kVarianceFloor;      ///< FitOptions::variance_floor
  std::shared_ptr<const EngineData> own = {};  ///< of the engine (engines/registry.hpp)
  core::Reducer* across = &core::alone();      ///< who else has rows
  std::size_t first_row = 0;                   ///< the number that our first row has among all
  std::size_t all_rows = 0;                    ///< of all processes
};
[[nodiscard]] EmData prepare(const Dataset& data, std::size_t threads,
                             core::Reducer& across = core::alone());

/// Rows, and where they are among those of all processes.
struct Share {
  Share(const Dataset& all) : data(&all), all_rows(all.rows) {}
  Share(const EmData& em)
      : data(em.data), across(em.across), first_row(em.first_row), all_rows(em.all_rows) {}
  const Dataset* data;
  core::Reducer* across = &core::alone();
  std::size_t first_row = 0, all_rows;
};

/// What is being fitted.
struct EmModel {
  std::vector<std::unique_ptr<families::Family>> families;  ///< per block
  std::unique_ptr<memberships::Membership> membership;
  const model::Inference* inference = nullptr;
  std::unique_ptr<heads::Softmax> head = nullptr;  ///< null: no label
  AlphaMode alpha = AlphaMode::fitted;
  families::Smoothing smoothing = 0;
  /// smoothing.each of every block, where it is fitted; of one that cannot be, as given.
  std::vector<double> each = {};

  [[nodiscard]] families::Smoothing smoothing_of(std::size_t block) const;
  /// Has it fitted from now on.
  void fit_smoothing();
  /// Brings `each` nearer to what the statistics say, if it is fitted.
  void improve_smoothing(const Statistics& statistics);
  [[nodiscard]] double log_prior() const;
  /// Whether the tables are to be posteriors but are still the points that a start gives.
  [[nodiscard]] bool awaits_posterior() const;
  [[nodiscard]] std::vector<const families::Family*> family_pointers() const;
  [[nodiscard]] model::RowMethod rows() const {
    return model::row_method(*inference, membership->entry());
  }
};
[[nodiscard]] EmModel make_model(const EmData& data, const memberships::MembershipEntry& membership,
                                 const model::Inference& inference, std::size_t components,
                                 const RateOptions& rates = {});

/// Whether a fit in the likelihood itself has the weak prior of alpha that math/dirichlet.hpp
/// describes: alpha is fitted, and some row has the two observations that tell of mixing.
[[nodiscard]] bool expects_mixing(const EmModel& model, std::size_t longest_row);

/// The parameters of a model as tensors under a prefix, and back.
void save_parameters(const EmModel& model, core::TensorFile& file, const std::string& prefix);
void restore_parameters(const core::TensorFile& file, const std::string& prefix, EmModel& model);

/// Sets the statistics of a block to those of the responsibilities of its cells.
void collect_statistics(const Block& block, const data::Columns& columns,
                        const families::Responsibilities& from, std::size_t threads,
                        const families::Family& family, std::span<double> statistics);
/// Sets the tables of the statistics to those of the responsibilities of each block's cells, added
/// up over all processes; `columns` and `blocks` are those the responsibilities speak of.
void collect_tables(const std::vector<Block>& blocks, const std::vector<data::Columns>& columns,
                    const std::vector<families::Responsibilities>& from, const EmData& data,
                    const EmModel& model, Statistics& into);

// The M-step, which is not interrupted: sets to their maximum given the statistics
/// every family,
void maximise_families(const Statistics& statistics, EmModel& model);
/// families and head,
void maximise_tables(const Statistics& statistics, EmModel& model);
/// the prior.
void maximise_prior(const Statistics& statistics, std::size_t threads, EmModel& model);

/// From how many starts of single membership (engines/multistart.hpp) an engine is given the best,
/// how many of them it should follow itself for a while before it takes one, and how often each
/// k-means is to try to begin a component anew (kmeans()).
struct StartsWanted {
  std::size_t tried = 1, kept = 1, swaps = 0;
};

class Engine {
 public:
  virtual ~Engine() = default;
  Engine(const Engine&) = delete;
  Engine& operator=(const Engine&) = delete;

  /// Sets the tables from given row memberships (rows x padded K, rows sum to about 1), to points,
  /// and forgets the rest.
  void start_from(const std::vector<double>& memberships);
  /// Begins every row as if it held its observations in the given proportions (rows x K); an engine
  /// without a state per row need not care.
  virtual void start_states(const std::vector<double>& shares);
  /// Ways to begin from the tables that have been set, of which the fit is to try each for a few
  /// iterations; none: it just begins.
  [[nodiscard]] virtual std::vector<Candidate> candidates();
  /// Called once, before the first iteration of the fit proper.
  virtual void begin_fit() {}
  /// One iteration. Returns the penalised objective: of the parameters it began with, or ended with
  /// where the engine knows. May throw Interrupted (core/task.hpp), and then it can be called
  /// again, or saved, restored and called again: the iteration gives what it gives without
  /// interruption.
  virtual double iterate() = 0;
  /// Called once, after the last iteration. Interrupted, it can be called again likewise.
  virtual void finish_fit() {}
  /// Brings the tables up to date, where iterations work on something else.
  virtual void flush() {}
  [[nodiscard]] virtual StartsWanted starts_wanted() const { return {}; }
  /// Whether it is time to stop; nothing if the growth of the objective says so. An engine that
  /// answers only estimates its objective, which may then fall.
  [[nodiscard]] virtual std::optional<bool> arrived(double /*tolerance*/) const {
    return std::nullopt;
  }
  /// The bound of the last iteration without the penalty, if it is one.
  [[nodiscard]] virtual std::optional<double> training_bound() const { return std::nullopt; }
  /// The tolerance of the growth at which to stop is multiplied by this.
  [[nodiscard]] virtual double strictness() const { return 1; }
  /// How many times running the growth must be below it.
  [[nodiscard]] virtual std::size_t quiet_iterations() const { return 2; }

  [[nodiscard]] EmModel& model() { return model_; }
  [[nodiscard]] const EmData& data() const { return data_; }
  /// Those that the tables were made from last.
  [[nodiscard]] const Statistics& statistics() const { return workspace_; }
  /// Log-likelihood of every row under each component, summed over its cells: rows x K.
  [[nodiscard]] std::vector<double> component_log_likelihoods();

  /// Everything that going on with the same bits needs.
  virtual void save(core::TensorFile& file, const std::string& prefix) const = 0;
  virtual void restore(const core::TensorFile& file, const std::string& prefix) = 0;

 protected:
  Engine(const EmData& data, EmModel model);
  /// The tables have been set from outside.
  virtual void forget() = 0;

  /// Room for the statistics of an E-step; they are whatever was put there last.
  [[nodiscard]] Statistics& workspace();

  const EmData& data_;
  EmModel model_;
  std::size_t components_, padded_;

 private:
  Statistics workspace_;
};

}  // namespace medley::engines
