// SPDX-License-Identifier: Apache-2.0
// How the rows of a data set were weighted, for whoever reports on them.
#pragma once

#include <string>

namespace medley {

/// Row weights in short. Frequency weights count as they are written; sampling weights are divided
/// by their mean, so that all rows together count as often as there are rows.
struct Weighting {
  std::string column = {};  ///< where the weights stand; empty: every row counts once
  bool counts = false;      ///< frequency weights, else sampling weights
  double stands_for = 0;    ///< the sum of the weights as they are written
  double cells = 0;         ///< observed cells or words of all rows, unweighted

  [[nodiscard]] bool used() const { return !column.empty(); }
};

}  // namespace medley
