// SPDX-License-Identifier: Apache-2.0
// Whether counts agree with probabilities: Pearson's chi-square, cells that expect few taken
// together.
#pragma once

#include <cstddef>
#include <vector>

#include "math/special.hpp"

namespace medley::test {

/// The probability of counts as far off as these or farther.
inline double chi_square_p(const std::vector<double>& count, const std::vector<double>& p) {
  constexpr double kFew = 10;
  double total = 0;
  for (const double c : count) total += c;
  double statistic = 0, cells = 0, rest_count = 0, rest_expected = 0;
  const auto add = [&](double found, double expected) {
    statistic += (found - expected) * (found - expected) / expected;
    ++cells;
  };
  for (std::size_t i = 0; i < p.size(); ++i) {
    if (total * p[i] >= kFew) {
      add(count[i], total * p[i]);
    } else {
      rest_count += count[i];
      rest_expected += total * p[i];
    }
  }
  if (rest_expected > 0) add(rest_count, rest_expected);
  return math::gamma_above((cells - 1) / 2, statistic / 2);
}

}  // namespace medley::test
