// SPDX-License-Identifier: Apache-2.0
// The work of the pass and of accumulate as fast as plain loops go on this machine: four likelihood
// rows that stay in the first cache stand in for all, nothing is gathered and sums may be in any
// order. The result is meaningless; the time is what a kernel can at best come near.
#pragma once

#include <cstddef>
#include <cstdint>

namespace medley::bench {

/// One dot product and one axpy per cell; `rows` is 4 x padded, `out` padded values.
void ideal_pass(const float* rows, std::size_t cells, std::size_t padded, const float* e,
                float* out);
void ideal_pass(const double* rows, std::size_t cells, std::size_t padded, const double* e,
                double* out);

/// The same over rows that all differ, as a gathered document has them: `rows` is cells x padded.
void ideal_document(const float* rows, std::size_t cells, std::size_t padded, const float* e,
                    float* out);

/// The same in two passes over the rows, dot products and then axpys with sums in registers: what a
/// good loop was before.
void two_pass_document(const float* rows, std::size_t cells, std::size_t padded, const float* e,
                       float* ratio, float* out);

/// What the processor can at most: `count` fused multiply-adds of floats in registers, and reading
/// `count` floats over and over from `from` (`size` of them: as many as the second cache holds).
void peak_multiply_adds(std::size_t count, float* out);
void peak_reads(const float* from, std::size_t size, std::size_t count, float* out);

/// The product of fast inference and single membership, for one row: one axpy per cell, from a
/// table that lies where it lies; sums in registers and nothing fetched ahead.
void ideal_product(const double* table, const std::uint32_t* slot, const float* weight,
                   std::size_t cells, std::size_t padded, double* out);

/// One axpy per cell.
void ideal_accumulate(const double* rows, std::size_t cells, std::size_t padded, double* out);

}  // namespace medley::bench
