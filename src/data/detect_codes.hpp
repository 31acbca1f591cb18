// SPDX-License-Identifier: Apache-2.0
// Numbers that look like codes for "no answer" (9, 99, -1, 999 ...) rather than values. They are
// proposed, never applied: only the person knows.
#pragma once

#include <string>
#include <vector>

#include "data/facts.hpp"

namespace medley::data {

/// What one would call missing in a column, and why.
struct SuspectedCodes {
  std::vector<std::string> texts;  ///< as written; empty: none is suspected
  std::string why;                 ///< "99 occurs 41 times, far from the other values (1 to 5)"
};

/// Looks at the ends of a column of numbers for usual codes that occur repeatedly and stand apart:
/// beyond a wide gap, the only negative ones, or (7, 8, 9) past a run of answers 1, 2, 3 ...
[[nodiscard]] SuspectedCodes suspected_codes(const ColumnSummary& column);

}  // namespace medley::data
