// SPDX-License-Identifier: Apache-2.0
// The variance of a column as most of its values have it: what a few values far away cannot change.
//
//   ((q_0.75 - q_0.25) / 1.349)^2
//
// of a normal column its variance. Where the quartiles coincide, the 10 % and 90 % points take
// their place, then 5 % and 95 %, then 1 % and 99 %; where all these do, or if it is less, it is
// the variance itself. Quantiles are values of the column, so a row of weight 3 is three rows.
#pragma once

#include <vector>

namespace medley::families {

struct WeightedNumber {
  double value = 0, weight = 1;
};

/// `variance`: of the column, all values counted. Never above it.
[[nodiscard]] double usual_variance(std::vector<WeightedNumber> column, double variance);

}  // namespace medley::families
