// SPDX-License-Identifier: Apache-2.0
// Sentences that the summary of a fit and the page share, and row weights in words.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "medley/data.hpp"
#include "medley/options.hpp"

namespace medley::report {

// What the summary of a fit and the page both say of it.

/// How the starts that one fit tried by itself, and followed, agreed.
struct StartAgreement {
  std::string best;  ///< "start 15 of 48"
  std::size_t followed = 0;
  std::size_t near = 0;  ///< of them within 0.1 % of the best, itself included
  double farthest = 0;   ///< how far the worst is behind, as a share of the best
};

/// None where a fit tried no starts, or ways to begin rows rather than starts.
[[nodiscard]] std::optional<StartAgreement> agreement_of_starts(const FitSummary& summary);

/// The smoothing of each block: all of a few, the range of many.
[[nodiscard]] std::string smoothing_values(const std::vector<double>& of_blocks);

// Row weights in words: that they were used, and what the rows stand for.

/// A sentence such as `Rows are weighted by "w" (sampling weights): 1,500 rows stand for 45,000.`
/// Empty where no weights were used.
[[nodiscard]] std::string weights_sentence(const Weighting& weights, std::size_t rows);

/// What a number of observations is: ", weighted from 22,371 cells"; empty without weights.
[[nodiscard]] std::string weighted_cells(const Weighting& weights);

}  // namespace medley::report
