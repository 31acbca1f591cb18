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
// responsibilities and bound. Used by every engine and every score; one RowSolver per thread holds
// the working memory.
//
// Iterating is done in float, judging in double: the bound and the responsibilities of an EM
// iteration come from one double pass at the state that the float iteration found (the bound holds
// for any state). Scores iterate in double too. While training with tables that no cache holds,
// that pass takes the likelihood rows and the weights e rounded to float (Family::narrow), its sums
// are in double still: responsibilities sum to 1, and the bound is that of a model and a state
// which are off by 6e-8.

/// The parts of a model that the E-step reads. Families are in the order of the data set's blocks
/// and have been prepared.
struct EStepModel {
  std::span<const families::Family* const> families;
  const memberships::Membership* membership = nullptr;
  const Inference* inference = nullptr;
  const heads::Softmax* head = nullptr;      ///< null: rows are inferred without their label
  std::span<const std::int32_t> label = {};  ///< per row; below 0: not known

  [[nodiscard]] RowMethod rows() const { return row_method(*inference, membership->entry()); }
};

enum class Precision { training, score };

/// Whether training takes likelihood rows in float: all families have them.
[[nodiscard]] bool narrow(const EStepModel& model);

/// For scores: the documented start, in double, to this tolerance.
inline constexpr memberships::Limits kScoreLimits{1e-10, 100'000};

class RowSolver {
 public:
  RowSolver(const EStepModel& model, const Dataset& data);

  /// Improves `state` (K) for the row and returns the row's bound there (not weighted by the row).
  double solve(std::size_t row, const memberships::Limits& limits, Precision precision,
               std::span<double> state);

  /// The row's bound at a state that it settled to while training; as solve() without improving it.
  /// Something is observed in the row, and the model has no label.
  double evaluate_bound(std::size_t row, std::span<const double> state);

  // Of the row solved last:
  [[nodiscard]] double observed() const { return total_; }
  /// Whether its label took part.
  [[nodiscard]] bool labelled() const { return label_ >= 0; }
  /// phibar, the mean responsibilities of its observations (K), and the head's xi.
  void write_mean(std::span<double> out) const;
  [[nodiscard]] double xi() const { return xi_; }
  /// log of the component weights at the final state (K), the label's part left out.
  [[nodiscard]] std::span<const double> log_weights() const { return log_weights_; }
  /// The row's vector for Responsibilities::vectors (padded K), or for Responsibilities::narrow.
  void write_vector(double* out) const;
  void write_vector(float* out) const;
  /// The row's coefficients in one block, times `row_weight`, for Responsibilities::coefficient.
  void write_coefficients(std::size_t block, double row_weight, double* out) const;
  /// Cells that need full responsibilities; `block` and cell index, already times `row_weight`.
  void append_exceptions(std::size_t block, double row_weight,
                         std::vector<families::ExceptionalCell>& into) const;

 private:
  struct Exceptional {
    std::size_t place;  // among the row's cells, all blocks in order
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
  bool narrow_ = false;  // and so had the row solved last
  std::size_t row_ = 0;
  std::size_t count_ = 0;    // cells of the row, all blocks
  double total_ = 0;         // their weight, m
  std::int32_t label_ = -1;  // class of the row; -1: not known, or not to be used
  double xi_ = 1;
  double label_rest_ = 0;           // what of the label's bound does not depend on phibar
  std::vector<std::size_t> first_;  // blocks + 1: where each block's cells begin among count_
  core::AlignedVector<float> rows_f_, norm_f_, weight_f_, scratch_f_;
  core::AlignedVector<double> rows_d_, norm_d_, weight_d_, scratch_d_;
  core::AlignedVector<double> log_rows_;
  core::AlignedVector<float> room_;  // of active components
  std::vector<std::uint32_t> columns_;
  std::vector<double> log_weights_;   // K
  std::vector<double> offset_;        // K: what the label adds to them; 0 without one
  std::vector<double> full_weights_;  // K: log_weights_ + offset_
  std::vector<double> held_;          // K
  core::AlignedVector<double> e_;     // padded K: exp(log_weights - top), or phi when pooled
  std::vector<Exceptional> exceptional_;
};

// Lets several rows of an EM iteration settle at once, a row to a lane
// (kernels/lane_sweeps.hpp): for few components, where a row alone leaves most lanes empty. The
// sweeps are those of RowSolver, in float; judging a settled row stays with RowSolver::judge. One
// per thread.

class LaneRowSolver {
 public:
  /// Per row of a group: how many sweeps it may still do alone; 0 if it has settled.
  using Left = std::array<std::size_t, kernels::kAbreast>;

  /// Whether rows of this model can go abreast: few components, and sweeps over cells that are the
  /// same for every row but for the cells.
  [[nodiscard]] static bool suit(const EStepModel& model);

  LaneRowSolver(const EStepModel& model, const Dataset& data);

  /// Improves the states (all rows x K) of rows `first` to `end`, at most kAbreast. A row that is
  /// not settled thereby is to be solved alone: it takes longer than its neighbours, nothing was
  /// observed in it, a normaliser underflowed, or the rows' lengths differ too much for this to
  /// pay.
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
  core::AlignedVector<float> rows_, weight_;     // of all, side by side
  core::AlignedVector<float> state_, counts_, room_, prior_, factor_;
};

}  // namespace medley::model
