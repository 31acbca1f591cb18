// SPDX-License-Identifier: Apache-2.0
// Sums over hidden cells that become CellScores.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "medley/predict.hpp"

namespace medley::evaluation {

/// What is known of one hidden cell when the truth is uncovered.
struct UncoveredCell {
  double loss = 0, baseline_loss = 0;  ///< -log probability (density)
  bool level = false;                  ///< else a number
  bool hit = false, baseline_hit = false;
  double error = 0, baseline_error = 0, scale = 1;  ///< numbers; scale: sd of the column
  bool inside50 = false, inside90 = false;
};

class Tally {
 public:
  /// Cells come row by row.
  void add(std::size_t row, const UncoveredCell& cell);
  [[nodiscard]] CellScores scores(const std::string& what) const;

 private:
  struct Row {
    std::size_t row, cells;
    double gain;
  };
  [[nodiscard]] double gain_error() const;

  CellScores sum_;  // sums where CellScores has means
  std::vector<Row> rows_;
};

/// Turns sums over cells (of squares, for the root mean squares) into what CellScores promises; all
/// but the standard error.
void sums_to_means(CellScores& scores);

}  // namespace medley::evaluation
