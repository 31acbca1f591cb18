// SPDX-License-Identifier: Apache-2.0
// The scores of one side of a fold, and their mean and standard deviation over the folds.
#pragma once

#include <vector>

#include "medley/evaluate.hpp"

namespace medley::evaluation {

/// All but the truth scores.
[[nodiscard]] FoldSide fold_side(const Evaluation& scores, const Dataset& rows);

/// One side of all folds.
[[nodiscard]] FoldScores over_folds(const std::vector<Fold>& folds, FoldSide Fold::* side);

}  // namespace medley::evaluation
