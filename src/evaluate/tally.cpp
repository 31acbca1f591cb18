// SPDX-License-Identifier: Apache-2.0
#include "evaluate/tally.hpp"

#include <cmath>

namespace medley::evaluation {

void Tally::add(std::size_t row, const UncoveredCell& cell) {
  ++sum_.cells;
  sum_.log_loss += cell.loss;
  sum_.baseline_log_loss += cell.baseline_loss;
  if (rows_.empty() || rows_.back().row != row) rows_.push_back({row, 0, 0});
  ++rows_.back().cells;
  rows_.back().gain += cell.baseline_loss - cell.loss;
  if (cell.level) {
    ++sum_.level_cells;
    sum_.accuracy += cell.hit ? 1 : 0;
    sum_.baseline_accuracy += cell.baseline_hit ? 1 : 0;
    return;
  }
  ++sum_.number_cells;
  sum_.rmse += cell.error * cell.error;
  sum_.baseline_rmse += cell.baseline_error * cell.baseline_error;
  sum_.scaled_rmse += (cell.error / cell.scale) * (cell.error / cell.scale);
  sum_.coverage50 += cell.inside50 ? 1 : 0;
  sum_.coverage90 += cell.inside90 ? 1 : 0;
}

// Cells of a row depend on each other, rows do not: the standard error of the ratio
// sum of gains / cells, from the residuals of the rows.
double Tally::gain_error() const {
  const auto count = static_cast<double>(rows_.size());
  if (rows_.size() < 2) return 0;
  const auto cells = static_cast<double>(sum_.cells);
  const double mean = (sum_.baseline_log_loss - sum_.log_loss) / cells;
  double squares = 0;
  for (const Row& row : rows_) {
    const double off = row.gain - mean * static_cast<double>(row.cells);
    squares += off * off;
  }
  return std::sqrt(squares * count / (count - 1)) / cells;
}

CellScores Tally::scores(const std::string& what) const {
  CellScores out = sum_;
  out.what = what;
  sums_to_means(out);
  out.gain_error = gain_error();
  return out;
}

void sums_to_means(CellScores& s) {
  const auto mean = [](double& sum, std::size_t count) {
    sum = count > 0 ? sum / static_cast<double>(count) : 0.0;
  };
  for (double* loss : {&s.log_loss, &s.baseline_log_loss}) mean(*loss, s.cells);
  for (double* share : {&s.accuracy, &s.baseline_accuracy}) mean(*share, s.level_cells);
  for (double* share : {&s.coverage50, &s.coverage90}) mean(*share, s.number_cells);
  for (double* square : {&s.rmse, &s.baseline_rmse, &s.scaled_rmse}) {
    mean(*square, s.number_cells);
    *square = std::sqrt(*square);
  }
}

}  // namespace medley::evaluation
