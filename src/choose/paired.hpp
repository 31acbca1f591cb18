// SPDX-License-Identifier: Apache-2.0
// Means over rows with standard errors, and of differences row by row. With weights w of rows and
// values x, m = sum w x / sum w:
//
//   standard error^2 = n / (n - 1) sum w^2 (x - m)^2 / (sum w)^2
//
// n counts rows with a weight above 0. Of a difference the values are those of one candidate minus
// those of the other on the same rows.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "choose/held_out.hpp"

namespace medley::choose {

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
