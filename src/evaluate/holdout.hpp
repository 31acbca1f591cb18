// SPDX-License-Identifier: Apache-2.0
// What scoring hidden cells needs: sums that become scores, and noise in yes/no cells.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "medley/data.hpp"
#include "medley/predict.hpp"

namespace medley::evaluation {

// Sums over hidden cells that become CellScores.

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

// Noise in hidden yes/no cells: an answer is replaced by the other one.

/// The places of all cells of features with exactly two levels, in random order: the first m of
/// them are a random choice, and part of the first m + 1.
[[nodiscard]] std::vector<CellPlace> shuffled_yes_no_cells(const Dataset& data, std::uint64_t seed);

/// The data with the answers at these places turned round.
[[nodiscard]] Dataset with_flips(Dataset data, std::span<const CellPlace> places);

}  // namespace medley::evaluation
