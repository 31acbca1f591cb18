// SPDX-License-Identifier: Apache-2.0
// An evenly spread sample of row numbers, the same every time.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "medley/error.hpp"

namespace medley::report {

/// At most `most` of the numbers 0 .. count-1, ascending and as evenly spread as possible.
[[nodiscard]] inline std::vector<std::size_t> spread_rows(std::size_t count, std::size_t most) {
  const std::size_t taken = std::min(count, most);
  std::vector<std::size_t> out(taken);
  for (std::size_t i = 0; i < taken; ++i)
    out[i] = integer_of<std::size_t>((static_cast<double>(i) + 0.5) * static_cast<double>(count) /
                                     static_cast<double>(taken));
  return out;
}

}  // namespace medley::report
