// SPDX-License-Identifier: Apache-2.0
// Scores of candidates on the same held-out rows: means with standard errors, and differences row
// by row.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace medley::choose {

// How the candidates of an option did on the same held-out rows, and which of them is best.

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

// Means over rows with standard errors, and of differences row by row. With weights w of rows and
// values x, m = sum w x / sum w:
//
//   standard error^2 = n / (n - 1) sum w^2 (x - m)^2 / (sum w)^2
//
// n counts rows with a weight above 0. Of a difference the values are those of one candidate minus
// those of the other on the same rows.

[[nodiscard]] MeanError weighted_mean(std::span<const double> values,
                                      std::span<const double> weights);
/// Of a - b.
[[nodiscard]] MeanError weighted_difference(std::span<const double> a, std::span<const double> b,
                                            std::span<const double> weights);

/// Candidates by a score of which more is better: how far each is behind the best, with the
/// standard error of that difference (0 for the best itself).
struct Behind {
  std::size_t best = 0;
  std::vector<MeanError> by;  ///< means are 0 or more
};
[[nodiscard]] Behind behind_the_best(const std::vector<std::vector<double>>& scores,
                                     std::span<const double> weights);

}  // namespace medley::choose
