// SPDX-License-Identifier: Apache-2.0
// What the counts of collapsed inference (kernels/collapsed.hpp) are sums of, summed afresh: for
// some observations of a row, expected counts and the probability that none of them is a
// component's,
//
//   count_k += w_o phi_ok        none_k *= (1 - phi_ok)^w_o
//
// with w_o in the power rounded to a whole number, at least 1.
#pragma once

#include <cstddef>

#include "kernels/collapsed.hpp"

namespace medley::kernels {

/// For their row: count and none, padded K.
void sum_row(const CollapsedCells& cells, std::size_t padded, float* count, float* none);

/// For their slots, each the weight of the row times: count and none, padded K of every slot from
/// `first_slot` on.
void sum_slots(const CollapsedCells& cells, double row_weight, std::size_t first_slot,
               std::size_t padded, double* count, float* none);

}  // namespace medley::kernels
