// SPDX-License-Identifier: Apache-2.0
// The E-step of one row, and of several rows at once, one per SIMD lane.
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <vector>

#include "core/aligned.hpp"
#include "families/family.hpp"
#include "heads/softmax.hpp"
#include "kernels/lane_sweeps.hpp"
#include "medley/data.hpp"
#include "memberships/membership.hpp"
#include "model/inference.hpp"

namespace medley::model {

// The E-step of one row: cells -> likelihood rows (families) -> kernel -> membership ->
// responsibilities and bound. Every engine and every score uses it; one RowSolver per thread holds
// the working memory.
//
// Iterations run in float, the final evaluation in double: the bound and the responsibilities of an
// EM iteration come from one double pass at the state that the float iteration found (the bound
// holds for any state). Scores iterate in double too. While training with tables that exceed every
// cache, that pass uses the likelihood rows and the weights e rounded to float (Family::narrow),
// but sums in double. So responsibilities sum to 1, and the bound is that of a model and a state
// with a relative error of 6e-8.

/// The parts of a model that the E-step reads. Families are in the order of the data set's blocks
/// and have been prepared.
struct EStepModel {
  std::span<const families::Family* const> families;
  const memberships::Membership* membership = nullptr;
  const Inference* inference = nullptr;
  const heads::Softmax* head = nullptr;      ///< null: rows are inferred without their label
  std::span<const std::int32_t> label = {};  ///< per row; below 0: unknown

  [[nodiscard]] RowMethod rows() const { return row_method(*inference, membership->entry()); }
};

enum class Precision { training, score };

/// Whether training can use likelihood rows in float: all families have them.
[[nodiscard]] bool narrow(const EStepModel& model);

/// Limits for scores, which use the documented start and double precision.
inline constexpr memberships::Limits kScoreLimits{1e-10, 100'000};

class RowSolver {
 public:
  RowSolver(const EStepModel& model, const Dataset& data);

  /// Improves `state` (K) of the row and returns the row's bound there, without the row's weight.
  double solve(std::size_t row, const memberships::Limits& limits, Precision precision,
               std::span<double> state);

  /// The row's bound at a state to which it converged while training, like solve() without
  /// improving it. The row must have something observed, and the model no label.
  double evaluate_bound(std::size_t row, std::span<const double> state);

  // For the last row solved:
  [[nodiscard]] double observed() const { return total_; }
  /// Whether its label took part.
  [[nodiscard]] bool labelled() const { return label_ >= 0; }
  /// phibar, the mean responsibilities of its observations (K), and the head's xi.
  void write_mean(std::span<double> out) const;
  [[nodiscard]] double xi() const { return xi_; }
  /// log of the component weights at the final state (K), without the label's part.
  [[nodiscard]] std::span<const double> log_weights() const { return log_weights_; }
  /// The row's vector for Responsibilities::vectors (padded K), or for Responsibilities::narrow.
  void write_vector(double* out) const;
  void write_vector(float* out) const;
  /// The row's coefficients in one block, times `row_weight`, for Responsibilities::coefficient.
  void write_coefficients(std::size_t block, double row_weight, double* out) const;
  /// Adds the cells that need full responsibilities: `block`, cell index, already times
  /// `row_weight`.
  void append_exceptions(std::size_t block, double row_weight,
                         std::vector<families::ExceptionalCell>& into) const;

 private:
  struct Exceptional {
    std::size_t place;  // index among the row's cells, all blocks in order
    std::vector<double> responsibility;
  };

  [[nodiscard]] bool pooled() const { return model_.rows().pooled(); }
  void lay_out(std::size_t row);
  void lay_out_weights(const Block& block, std::size_t row, std::size_t place);
  void renew_offset(std::span<const double> state);
  template <class Step>
  bool settle(const memberships::Limits& limits, std::span<double> state, Step&& step);
  void approach(std::span<double> state);
  double solve_cells(std::size_t row, const memberships::Limits& limits, Precision precision,
                     std::span<double> state);
  double solve_pooled(std::size_t row, const memberships::Limits& limits, std::span<double> state);
  double evaluate_cells(double log_scale);
  double judge_exceptional(std::size_t place, double top);
  template <class T>
  double gather(std::size_t row, core::AlignedVector<T>& rows);
  void round_rows();
  void round_weights();
  void gather_logs(std::size_t row);
  template <class T>
  memberships::Cells<T> cells(core::AlignedVector<T>& rows, core::AlignedVector<T>& norm,
                              core::AlignedVector<T>& weight, core::AlignedVector<T>& scratch);

  EStepModel model_;
  const Dataset& data_;
  std::size_t components_, padded_;
  bool all_narrow_;      // training has likelihood rows in float
  bool narrow_ = false;  // the last row solved used them
  std::size_t row_ = 0;
  std::size_t count_ = 0;    // cells of the row, all blocks
  double total_ = 0;         // their weight, m
  std::int32_t label_ = -1;  // class of the row; -1: unknown or unused
  double xi_ = 1;
  double label_rest_ = 0;           // the part of the label's bound without phibar
  std::vector<std::size_t> first_;  // blocks + 1: where each block's cells begin among count_
  core::AlignedVector<float> rows_f_, norm_f_, weight_f_, scratch_f_;
  core::AlignedVector<double> rows_d_, norm_d_, weight_d_, scratch_d_;
  core::AlignedVector<double> log_rows_;
  core::AlignedVector<float> room_;  // for active components
  std::vector<std::uint32_t> columns_;
  std::vector<double> log_weights_;   // K
  std::vector<double> offset_;        // K: what the label adds to them; 0 without one
  std::vector<double> full_weights_;  // K: log_weights_ + offset_
  std::vector<double> held_;          // K
  core::AlignedVector<double> e_;     // padded K: exp(log_weights - top), or phi when pooled
  std::vector<Exceptional> exceptional_;
};

// Runs the fixed points of several rows of an EM iteration at once, one row per SIMD lane
// (kernels/lane_sweeps.hpp): for few components, where one row would leave most lanes empty. The
// sweeps are those of RowSolver, in float; RowSolver does the final evaluation of a converged row.
// One object per thread.

class LaneRowSolver {
 public:
  /// Per row of a group: the number of sweeps it may still do alone; 0 if it has converged.
  using Left = std::array<std::size_t, kernels::kAbreast>;

  /// Whether rows of this model can be solved together: few components, and sweeps over cells that
  /// differ between rows only in the cells.
  [[nodiscard]] static bool suit(const EStepModel& model);

  LaneRowSolver(const EStepModel& model, const Dataset& data);

  /// Improves the states (all rows x K) of rows `first` to `end`, at most kAbreast. Some rows
  /// remain to be solved alone: if a row takes longer than its neighbours, has nothing observed, or
  /// a normaliser underflowed; and all rows if their lengths differ too much.
  Left settle(std::size_t first, std::size_t end, const memberships::Limits& limits,
              std::span<double> states);

 private:
  bool lay_out(std::size_t first, std::size_t end);
  void gather(std::size_t row, std::size_t lane);

  EStepModel model_;
  const Dataset& data_;
  std::size_t components_, padded_;
  std::size_t longest_ = 0;                      // cells of the longest row
  std::array<double, kernels::kAbreast> total_;  // their weight, per row
  core::AlignedVector<double> row_;              // likelihood rows of one row
  core::AlignedVector<float> rows_, weight_;     // of all rows, side by side
  core::AlignedVector<float> state_, counts_, room_, prior_, factor_;
};

}  // namespace medley::model
