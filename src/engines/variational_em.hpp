// SPDX-License-Identifier: Apache-2.0
// Batch variational EM: each iteration infers every row from where it was left (E-step), then sets
// families and prior to their maximum (M-step). The penalised bound, bound + log prior of the
// tables, never falls, because rows are warm-started: a cold-started E-step can land in a worse
// optimum. Where tables are to be posteriors the likelihoods are exp E_q log l and the penalty is
// -KL(q || prior), so that the same iteration is variational Bayes; the points that a start gives
// are first made posteriors by an iteration that is not counted.
//
// With extrapolated steps an iteration begins beyond the parameters where the last one ended, rows
// where they were left. Where that lowers the penalised bound, parameters and rows are put back and
// the iteration is done from there, so that it still never falls. The parameters after an iteration
// are always those of an M-step.
//
// Same bits at any thread count: rows are inferred in fixed chunks whose sums are merged in order,
// and table statistics are summed slot by slot over the transposed data. Memory: O(cells + rows K +
// slots K).
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "core/aligned.hpp"
#include "engines/active_vectors.hpp"
#include "engines/engine.hpp"
#include "engines/extrapolate.hpp"
#include "memberships/membership.hpp"
#include "model/row_solver.hpp"

namespace medley::engines {

class VariationalEm final : public Engine {
 public:
  /// Where an iteration begins: where the last one ended, or beyond (engines/extrapolate.hpp) for
  /// models that have free parameters only.
  enum class Steps { plain, extrapolated };
  VariationalEm(const EmData& data, EmModel model, Steps steps = Steps::plain);

  /// How iterations are made before the fit proper.
  struct Schedule {
    bool cold = false;  ///< every other iteration infers all rows from the documented start
    double alpha = 0;   ///< in every component, held for kHeld iterations; 0: fitted from the first
  };
  static constexpr std::size_t kHeld = 20;
  /// From now on; the tables stay, and what was known of the rows if they are not cold.
  void follow(const Schedule& schedule);

  void start_states(const std::vector<double>& shares) override;
  [[nodiscard]] std::vector<Candidate> candidates() override;
  [[nodiscard]] StartsWanted starts_wanted() const override;
  void begin_fit() override { follow({}); }
  double iterate() override;
  /// The same with the given patience for every row.
  double iterate(const memberships::Limits& limits);
  /// The E-step alone: infers the rows and says what those of all processes add up to.
  void estep(const memberships::Limits& limits, Statistics& into);
  /// The part of it that the prior needs.
  [[nodiscard]] memberships::PriorStatistics infer_prior(const memberships::Limits& limits);
  /// Makes the model ready for rows inferred afresh, from the documented start and without their
  /// label, as all later rows will be. Holds the tables; unless alpha is fixed, scales it so that
  /// such rows reach the best bound; finishes the membership (engines/warm_start_membership.hpp);
  /// fits the head (that of the tighter bound) to them. Posteriors are held as the points that such
  /// rows meet, their means. Forgets states.
  void finish_fit() override;
  /// The bound of the last iteration without the penalty.
  [[nodiscard]] double bound() const { return bound_; }
  [[nodiscard]] std::optional<double> training_bound() const override { return bound_; }
  [[nodiscard]] std::size_t quiet_iterations() const override;

  /// rows x the membership's state size; empty before the first iteration.
  [[nodiscard]] const std::vector<double>& states() const { return state_; }

  void save(core::TensorFile& file, const std::string& prefix) const override;
  void restore(const core::TensorFile& file, const std::string& prefix) override;

 private:
  void forget() override;
  void allocate(bool narrow);
  void prepare_families();
  struct Chunk;
  struct Worker;
  /// A model, to be put back. Its room is used again and again: to ask for that of a large table
  /// anew takes longer than to copy it.
  struct Kept {
    std::vector<double> prior;
    std::vector<std::vector<double>> tables;  // per block
    void keep(const EmModel& model);
    void put_back(EmModel& model) const;
  };
  /// All of the statistics but the tables. Returns the bound.
  double infer_rows(const memberships::Limits& limits, Statistics& into);
  /// The tables, of rows that have been inferred.
  void collect_tables_of_rows(Statistics& into);
  void save_states();
  void restore_states();
  void recalibrate();
  void init_states();
  void infer_rows(const memberships::Limits& limits, Worker& worker, Chunk& chunk);
  void keep_row(std::size_t row, const model::RowSolver& solver, Chunk& chunk);
  void merge(std::vector<Chunk>& chunks, Statistics& into);
  [[nodiscard]] std::vector<families::Responsibilities> take_responsibilities();
  [[nodiscard]] bool extrapolates() const;
  [[nodiscard]] bool is_single() const;
  [[nodiscard]] bool has_alpha() const;
  /// Infers the rows in an iteration.
  void infer(const memberships::Limits& limits);
  /// The same with parameters beyond the present ones. False if there is nothing to try or they are
  /// worse than those of the last iteration: all is then as it was.
  bool infer_ahead(const memberships::Limits& limits);
  [[nodiscard]] double gain_of_alpha(const memberships::PriorStatistics& prior);
  [[nodiscard]] heads::Statistics head_statistics() const;
  void become_posterior(const memberships::Limits& limits);
  void recalibrate_alpha();
  void refit_head();

  Steps steps_;
  bool cold_ = false;                                               // the schedule
  bool carry_rows_ = false;                                         // next time, though cold
  std::size_t hold_alpha_ = 0;                                      // for so many iterations more
  std::vector<double> state_;                                       // rows x state size
  core::AlignedVector<double> vectors_;                             // rows x padded K
  core::AlignedVector<float> narrow_;                               // or this, in their place
  ActiveVectors active_;                                            // of vectors_, if they are few
  std::vector<std::vector<double>> coefficients_;                   // per block, per cell
  std::vector<std::vector<families::ExceptionalCell>> exceptions_;  // per block
  std::vector<double> means_;  // rows x K: phibar; only with a head
  std::vector<double> xi_;     // per row; 0 where the label took no part
  bool use_labels_ = true;
  double bound_ = 0;
  double penalised_ = 0;  // what the last iteration returned; 0 before the first
  double growth_ = 0;     // by which share of itself it grew
  Momentum momentum_;
  std::vector<double> ahead_;  // where the momentum led last
  Kept kept_;                  // and what was there before
  // Whether the momentum was asked in this iteration, and where it leads is still to be tried.
  bool asked_ = false, leads_ = false;
  std::vector<double> rows_before_;  // state_ at the beginning of this iteration
};

/// Lends a model to an engine; it comes back whatever happens.
class LentModel {
 public:
  LentModel(const EmData& data, EmModel& model) : model_(model), engine_(data, std::move(model)) {}
  ~LentModel() { model_ = std::move(engine_.model()); }
  LentModel(const LentModel&) = delete;
  LentModel& operator=(const LentModel&) = delete;
  [[nodiscard]] VariationalEm* operator->() { return &engine_; }

 private:
  EmModel& model_;
  VariationalEm engine_;
};

}  // namespace medley::engines
