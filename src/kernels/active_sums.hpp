// SPDX-License-Identifier: Apache-2.0
// The statistics of one table row (accumulate() in kernels/pass.hpp) from sparse vectors, such as
// those of pooled rows: a row of many cells is nearly certain of its component. The transposed
// product then takes one addition per nonzero entry, instead of K per cell.
#pragma once

#include <cstddef>
#include <cstdint>

namespace medley::kernels {

/// One sparse vector per row: entry j of row i, start[i] <= j < start[i + 1], is value[j] of
/// component[j]; the others are 0.
struct ActiveVectors {
  const std::size_t* start = nullptr;
  const std::uint32_t* component = nullptr;
  const double* value = nullptr;
};

/// out[k] += sum_j coefficient[cell[j]] * vectors[row[j]][k], j < count, in a fixed order.
void accumulate(const ActiveVectors& vectors, const std::uint32_t* row, const std::uint32_t* cell,
                const double* coefficient, std::size_t count, double* out);

}  // namespace medley::kernels
