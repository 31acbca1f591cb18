// SPDX-License-Identifier: Apache-2.0
// Every row on its own, from the documented start, in double: what all reported numbers come from.
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
  std::vector<double> state;  ///< rows x K, what the membership draws from; only if asked for
};

/// What to keep of a row beside its bound.
enum class Keep { shares, shares_and_states };

/// Equal rows are scored once. The families must have been prepared (with log rows when the mode
/// pools).
[[nodiscard]] ScoredRows score_rows(const EStepModel& model, const Dataset& data,
                                    std::size_t threads, Keep keep = Keep::shares);

/// The results of the distinct rows, given to every row.
[[nodiscard]] ScoredRows unfold(const ScoredRows& patterns, const data::DistinctRows& distinct,
                                std::size_t components);

}  // namespace medley::model
