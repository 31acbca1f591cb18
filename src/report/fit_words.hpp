// SPDX-License-Identifier: Apache-2.0
// What the summary of a fit and the page both say of it.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "medley/options.hpp"

namespace medley::report {

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

}  // namespace medley::report
