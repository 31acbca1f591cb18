// SPDX-License-Identifier: Apache-2.0
// From scores to a choice, and what to make of it in sentences.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "choose/fit_scores.hpp"
#include "medley/select.hpp"

namespace medley::choose {

// From numbers to choices: scores of a series of candidates with their distance from the best, and
// the best candidate of every criterion.
//
//   cv    sum w l / sum w, with its standard error over rows
//   aic   -2 sum w l + 2 p             bic   -2 sum w l + p log n,   n = sum w
//
// The error of a difference of aic or bic is 2 n times that of the mean difference of l over rows.

/// Adds the score of every candidate; rows[c] are those of candidate c, weight 0 leaves a row out.
void add_cv(const std::vector<RowScores>& rows, const std::vector<double>& weights,
            Selection& selection);
/// `criterion`: aic or bic. Parameters and n are read from the selection.
void add_information(const std::string& criterion, const std::string& basis,
                     const std::vector<RowScores>& rows, const std::vector<double>& weights,
                     Selection& selection);

/// Whether more is better.
[[nodiscard]] bool more_is_better(const std::string& criterion);
/// Whether it has a one-standard-error choice: patterns have one because nothing holds their
/// residuals back as K grows.
[[nodiscard]] bool has_modest(const std::string& criterion);
/// Fills in the verdicts from the scores.
void judge(Selection& selection);

// What to make of a selection, in sentences.

/// One K, that of the first criterion that can choose; which criteria say otherwise, and what they
/// reward; whether optima were found again.
[[nodiscard]] std::string advise(const Selection& selection);
/// What is to be held against the numbers: bounds, chains that have not mixed, and the like.
[[nodiscard]] std::vector<std::string> selection_warnings(const Selection& selection);

}  // namespace medley::choose
