// SPDX-License-Identifier: Apache-2.0
// How the candidates of an option did on the same held-out rows, and which of them is best.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace medley::choose {

/// What one candidate says of the held-out rows.
struct HeldOut {
  std::vector<double> right;  ///< per row: 1 if the most probable class is its own, else 0
  std::vector<double> loss;   ///< per row: - log p(y | x), nats
};

/// A mean and its standard error.
struct MeanError {
  double mean = 0, error = 0;
};
[[nodiscard]] MeanError mean_error(std::span<const double> values);

/// Of the candidates whose accuracy is within one standard error of the highest (of the paired
/// difference), that of the lowest log-loss; the first of equals. At least one candidate.
[[nodiscard]] std::size_t best_of(const std::vector<HeldOut>& candidates);

}  // namespace medley::choose
