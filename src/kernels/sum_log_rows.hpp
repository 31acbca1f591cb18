// SPDX-License-Identifier: Apache-2.0
// Fast inference and single membership use only one K-vector of a row, the weighted sum of the log
// likelihood rows of its cells: over all rows a sparse matrix (rows x slots) times a dense one
// (slots x K),
//
//   total_k += sum_o w_o table[slot_o][k]                        one axpy per cell
//
// Sums stay in registers for up to eight vectors of components at a time, table rows are prefetched
// some cells ahead, and cells are added in their order. In double: reading the table in float saved
// only a seventh of the time. tests/kernels/reference.hpp has the plain loop that tests compare
// with.
#pragma once

#include <cstddef>
#include <cstdint>

namespace medley::kernels {

/// The cells of a row in one block; `weight` null: 1 everywhere.
struct SlotCells {
  const std::uint32_t* slot = nullptr;
  const float* weight = nullptr;
  std::size_t count = 0;
};

/// `table` is slots x padded K, `total` padded K.
void add_rows(const double* table, std::size_t padded, const SlotCells& cells, double* total);

}  // namespace medley::kernels
