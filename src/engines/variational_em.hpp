// SPDX-License-Identifier: Apache-2.0
// Batch variational EM: each iteration infers every row from where it was left (E-step), then sets
// families and prior to their maximum (M-step). The penalised bound, bound + log prior of the
// tables, never falls, because rows are warm-started: a cold-started E-step can land in a worse
// optimum.
//
// Same bits at any thread count: rows are inferred in fixed chunks whose sums are merged in order,
// and table statistics are summed slot by slot over the transposed data. Memory: O(cells + rows K +
// slots K).
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "core/safetensors.hpp"
#include "data/transpose.hpp"
#include "families/family.hpp"
#include "medley/dataset.hpp"
#include "medley/options.hpp"
#include "memberships/membership.hpp"
#include "model/row_solver.hpp"

namespace medley::engines {

/// Data as EM wants it; shared by all restarts.
struct EmData {
  const Dataset* data = nullptr;
  std::vector<data::Columns> columns;  ///< per block
  std::size_t threads = 1;
};
[[nodiscard]] EmData prepare(const Dataset& data, std::size_t threads);

/// What is being fitted.
struct EmModel {
  std::vector<std::unique_ptr<families::Family>> families;  ///< per block
  std::unique_ptr<memberships::Membership> membership;
  const memberships::InferenceMode* mode = nullptr;
  AlphaMode alpha = AlphaMode::fitted;
  families::Smoothing smoothing = 0;
};
[[nodiscard]] EmModel make_model(const EmData& data, const memberships::MembershipEntry& membership,
                                 const memberships::InferenceMode& mode, std::size_t components);

/// The parameters of a model as tensors under a prefix, and back.
void save_parameters(const EmModel& model, core::TensorFile& file, const std::string& prefix);
void restore_parameters(const core::TensorFile& file, const std::string& prefix, EmModel& model);

class VariationalEm {
 public:
  VariationalEm(const EmData& data, EmModel model);

  /// Sets the tables from given row memberships (rows x padded K, rows sum to about 1) and forgets
  /// states.
  void start_from(const std::vector<double>& memberships);
  /// Begins every row as if it held its observations in the given proportions (rows x K).
  void start_states(const std::vector<double>& shares);
  /// Holds the tables and scales the prior so that rows inferred afresh, from the documented start
  /// (as all later rows will be), reach the best bound. Forgets states.
  void settle_prior();
  /// One EM iteration. Returns the penalised bound of the parameters it began with.
  double iterate(const memberships::Limits& limits);
  /// The bound of the last iteration without the penalty.
  [[nodiscard]] double bound() const { return bound_; }

  [[nodiscard]] EmModel& model() { return model_; }
  [[nodiscard]] const EmData& data() const { return data_; }
  /// rows x K; empty before the first iteration.
  [[nodiscard]] const std::vector<double>& states() const { return state_; }
  /// Log-likelihood of every row under each component, summed over its cells: rows x K.
  [[nodiscard]] std::vector<double> component_log_likelihoods();

  /// Everything an exact resume needs.
  void save(core::TensorFile& file, const std::string& prefix) const;
  void restore(const core::TensorFile& file, const std::string& prefix);

 private:
  void take_room();
  void prepare_families();
  double expectation(const memberships::Limits& limits, memberships::PriorStatistics& prior);
  void collect_and_maximise(bool times_likelihood);

  const EmData& data_;
  EmModel model_;
  std::size_t components_, padded_;
  std::vector<double> state_;                                       // rows x K
  std::vector<double> vectors_;                                     // rows x padded K
  std::vector<std::vector<double>> coefficients_;                   // per block, per cell
  std::vector<std::vector<families::ExceptionalCell>> exceptions_;  // per block
  double bound_ = 0;
};

}  // namespace medley::engines
