// SPDX-License-Identifier: Apache-2.0
// Scores every row alone, from the documented start, in double: the basis of all reported numbers.
#pragma once

#include <cstddef>
#include <vector>

#include "data/distinct.hpp"
#include "medley/data.hpp"
#include "model/row_solver.hpp"

namespace medley::model {

struct ScoredRows {
  std::vector<double> bound;  ///< per row, natural log
  std::vector<double> share;  ///< rows x K, expected memberships
  std::vector<double> state;  ///< rows x K, for drawing memberships; only if requested
};

/// What to keep for a row beside its bound.
enum class Keep { shares, shares_and_states };

/// Equal rows are scored once. The families must have been prepared (with log rows if the inference
/// pools).
[[nodiscard]] ScoredRows score_rows(const EStepModel& model, const Dataset& data,
                                    std::size_t threads, Keep keep = Keep::shares);

/// Copies the results of the distinct rows to every row.
[[nodiscard]] ScoredRows unfold(const ScoredRows& patterns, const data::DistinctRows& distinct,
                                std::size_t components);

}  // namespace medley::model
