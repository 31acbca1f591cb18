// SPDX-License-Identifier: Apache-2.0
// Stochastic variational EM (Hoffman, Blei, Bach 2010; Cappe and Moulines 2009 call it online EM).
// A step infers the rows of a minibatch C_t from the documented start, then moves the statistics of
// tables and prior towards what they would be if all D rows were like these,
//
//   statistics <- (1 - rho_t) statistics + rho_t D/|C_t| statistics of the minibatch
//   rho_t = (t0 + t)^-kappa,   t = 1, 2, ...
//
// and sets families (or their posteriors) and prior to their maximum given them, as batch EM does:
// with rho = 1 and all rows in the minibatch a step is an iteration of batch EM. The families keep
// the average; one with many slots does so at the cost of those that the minibatch has. Memory:
// O(minibatch + slots K).
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "core/safetensors.hpp"
#include "engines/engine.hpp"
#include "memberships/membership.hpp"

namespace medley::engines {

/// How one step is done.
struct StochasticStep {
  double rho = 1;     ///< weight of the minibatch
  double scale = 1;   ///< D/|C_t|
  bool prior = true;  ///< the prior is set to its maximum too; else it only gathers statistics
  /// Loose ones do better: rows that are inferred to the last digit only fit tables that are about
  /// to change.
  memberships::Limits limits = {1e-3, 20};
  bool smoothing = false;  ///< the smoothing follows the statistics, if it is fitted
};

class StochasticEm {
 public:
  /// The model's tables are where it begins; its statistics count as nothing.
  StochasticEm(EmModel model, std::size_t threads, core::Reducer& across = core::alone());

  /// Statistics to begin with, times `scale`.
  void init_average(const Statistics& statistics, double scale);
  /// The same from an E-step of these rows.
  void init_average_from(const Dataset& rows, double scale);

  /// Goes on with another membership, which begins where these rows say; statistics are kept.
  void change_membership(const Dataset& rows, std::unique_ptr<memberships::Membership> next,
                         const model::Inference& inference);

  /// Learns from a minibatch (of several processes each has some of it) and returns its bound under
  /// the tables before the step (collapsed: its leave-one-out log-likelihood).
  double step(const Dataset& batch, const StochasticStep& how);

  /// With all tables up to date.
  [[nodiscard]] EmModel& model();
  /// With tables that are as far as the last minibatch needed: Family::prepare_for brings them up.
  [[nodiscard]] EmModel& running() { return model_; }
  /// The model, for good.
  [[nodiscard]] EmModel take();
  /// The averaged ones of a block, in the layout of its family.
  [[nodiscard]] std::vector<double> statistics(std::size_t block) const {
    return model_.families[block]->average();
  }
  [[nodiscard]] const memberships::PriorStatistics& prior() const { return prior_; }

  /// Everything that going on with the same bits needs.
  void save(core::TensorFile& file, const std::string& prefix) const;
  void restore(const core::TensorFile& file, const std::string& prefix);

 private:
  void estep(const EmData& batch, const memberships::Limits& limits);
  void improve_smoothing(const Dataset& batch);
  /// average <- keep average + add statistics; `met`: which slots have any.
  void blend(double keep, double add, const std::vector<data::Columns>& met,
             const Statistics& statistics);
  [[nodiscard]] std::vector<data::Columns> met_by_any(const EmData& batch) const;

  EmModel model_;
  std::size_t threads_;
  core::Reducer& across_;
  Statistics batch_;  // of the latest minibatch
  memberships::PriorStatistics prior_;
};

}  // namespace medley::engines
