// SPDX-License-Identifier: Apache-2.0
// The likelihoods of all distinct cells (data/distinct.hpp) under each component, scaled to sum to
// 1 over the components, for engines that integrate the membership out.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "data/distinct.hpp"
#include "families/family.hpp"
#include "model/row_solver.hpp"

namespace medley::model {

struct CellTable {
  /// The families must have been prepared.
  CellTable(const EStepModel& model, const data::DistinctCells& cells);
  CellTable(std::span<const families::Family* const> families, const data::DistinctCells& cells);

  [[nodiscard]] const double* of(std::size_t cell) const { return &likelihood[cell * components]; }

  std::size_t components;
  std::vector<double> likelihood;  ///< cells x K
  std::vector<double> log_scale;   ///< cells: log of their divisor
};

}  // namespace medley::model
