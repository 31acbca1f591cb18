// SPDX-License-Identifier: Apache-2.0
#include "kernels/active_sums.hpp"

namespace medley::kernels {

// Vector instructions do not help here: there are one or two entries, anywhere in `out`.
void accumulate(const ActiveVectors& vectors, const std::uint32_t* row, const std::uint32_t* cell,
                const double* coefficient, std::size_t count, double* out) {
  constexpr std::size_t kAhead = 16;  // cells whose coefficient and entries are asked for early
  for (std::size_t j = 0; j < count; ++j) {
    if (j + kAhead < count) {
      __builtin_prefetch(&coefficient[cell[j + kAhead]]);
      __builtin_prefetch(&vectors.value[vectors.start[row[j + kAhead]]]);
    }
    const double c = coefficient[cell[j]];
    const std::size_t end = vectors.start[row[j] + std::size_t{1}];
    for (std::size_t i = vectors.start[row[j]]; i < end; ++i)
      out[vectors.component[i]] += c * vectors.value[i];
  }
}

}  // namespace medley::kernels
