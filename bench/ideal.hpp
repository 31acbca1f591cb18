// SPDX-License-Identifier: Apache-2.0
// The work of the pass and of accumulate as fast as plain loops go on this machine: four likelihood
// rows that stay in the first cache stand in for all, nothing is gathered and sums may be in any
// order. The result is meaningless; the time is what a kernel can at best come near.
#pragma once

#include <cstddef>

namespace medley::bench {

/// One dot product and one axpy per cell; `rows` is 4 x padded, `out` padded values.
void ideal_pass(const float* rows, std::size_t cells, std::size_t padded, const float* e,
                float* out);
void ideal_pass(const double* rows, std::size_t cells, std::size_t padded, const double* e,
                double* out);

/// One axpy per cell.
void ideal_accumulate(const double* rows, std::size_t cells, std::size_t padded, double* out);

}  // namespace medley::bench
