// SPDX-License-Identifier: Apache-2.0
// Sentences that the summary of a fit and the page share, and sentences about row weights.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "medley/data.hpp"
#include "medley/options.hpp"

namespace medley::report {

// Sentences about a fit, for its summary and for the page.

/// How well the starts agree that a fit tried by itself.
struct StartAgreement {
  std::string best;  ///< "start 15 of 48"
  std::size_t followed = 0;
  std::size_t near = 0;  ///< number within 0.1 % of the best, which is included
  double farthest = 0;   ///< gap of the worst, as a share of the best
};

/// Nothing if a fit tried no starts, or only candidates from one start.
[[nodiscard]] std::optional<StartAgreement> agreement_of_starts(const FitSummary& summary);

/// The smoothing of each block: all of a few, the range of many.
[[nodiscard]] std::string smoothing_values(const std::vector<double>& of_blocks);

// Sentences about row weights: that they were used, and what the rows stand for.

/// A sentence such as `Rows are weighted by "w" (sampling weights): 1,500 rows stand for 45,000.`
/// Empty if no weights were used.
[[nodiscard]] std::string weights_sentence(const Weighting& weights, std::size_t rows);

/// Where a weighted number of observations comes from: ", weighted from 22,371 cells"; empty
/// without weights.
[[nodiscard]] std::string weighted_cells(const Weighting& weights);

}  // namespace medley::report
