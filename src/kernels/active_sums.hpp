// SPDX-License-Identifier: Apache-2.0
// The statistics of one table row (kernels/pass.hpp, accumulate) from vectors of which few entries
// are not 0, as those of pooled rows mostly are: a row of many cells is all but certain of its
// component. The transposed product then takes as many additions as there are such entries, rather
// than K for every cell.
#pragma once

#include <cstddef>
#include <cstdint>

namespace medley::kernels {

/// A vector for every row, entries that are 0 left out: entry j of row i, start[i] <= j <
/// start[i + 1], is value[j] of component[j].
struct ActiveVectors {
  const std::size_t* start = nullptr;
  const std::uint32_t* component = nullptr;
  const double* value = nullptr;
};

/// out[k] += sum_j coefficient[cell[j]] * vectors[row[j]][k], j < count, always in the same order.
void accumulate(const ActiveVectors& vectors, const std::uint32_t* row, const std::uint32_t* cell,
                const double* coefficient, std::size_t count, double* out);

}  // namespace medley::kernels
