// SPDX-License-Identifier: Apache-2.0
// Lets several rows of an EM iteration settle at once, a row to a lane
// (kernels/sweeps_abreast.hpp): for few components, where a row alone leaves most lanes empty. The
// sweeps are those of RowSolver, in float; judging a settled row stays with RowSolver::judge. One
// per thread.
#pragma once

#include <array>
#include <cstddef>
#include <span>

#include "core/aligned.hpp"
#include "kernels/sweeps_abreast.hpp"
#include "model/row_solver.hpp"

namespace medley::model {

class RowsAbreast {
 public:
  /// Per row of a group: how many sweeps it may still do alone; 0 if it has settled.
  using Left = std::array<std::size_t, kernels::kAbreast>;

  /// Whether rows of this model can go abreast: few components, and sweeps over cells that are the
  /// same for every row but for the cells.
  [[nodiscard]] static bool suit(const EStepModel& model);

  RowsAbreast(const EStepModel& model, const Dataset& data);

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
