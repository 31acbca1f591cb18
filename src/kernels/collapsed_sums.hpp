// SPDX-License-Identifier: Apache-2.0
// Recomputes the counts of collapsed inference (kernels/collapsed.hpp) from the responsibilities:
// for some observations of a row, expected counts and the probability that no observation belongs
// to a component,
//
//   count_k += w_o phi_ok        none_k *= (1 - phi_ok)^w_o
//
// where the power w_o is rounded to a whole number, at least 1.
#pragma once

#include <cstddef>

#include "kernels/collapsed.hpp"

namespace medley::kernels {

/// Sums for the row: count and none, padded K.
void sum_row(const CollapsedCells& cells, std::size_t padded, float* count, float* none);

/// Sums for the slots, times the weight of the row: count and none, padded K for every slot from
/// `first_slot` on.
void sum_slots(const CollapsedCells& cells, double row_weight, std::size_t first_slot,
               std::size_t padded, double* count, float* none);

}  // namespace medley::kernels
