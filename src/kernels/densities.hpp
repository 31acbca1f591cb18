// SPDX-License-Identifier: Apache-2.0
// Densities of numbers under every component, and their sufficient statistics, many cells at a
// time. A slot has three K-vectors (constant, first, second); a cell has two numbers (t1, t2); then
//
//   linear   log f_k = constant_k + first_k t1 + second_k t2
//   curved   log f_k = constant_k + second_k (t1 - first_k)^2
//
// families/scalars.hpp lists the families of each form. Cells are processed in groups, because a
// call per cell would cost more than the arithmetic where K is small.
// tests/kernels/densities_test.cpp has the plain loops.
#pragma once

#include <cstddef>
#include <cstdint>

namespace medley::kernels {

enum class DensityForm { linear, curved };

/// The smallest log density, so that the bound stays finite for a cell far from every component.
inline constexpr double kLeastLogDensity = -1e290;

struct DensityTable {
  DensityForm form;
  const double* coefficients;  ///< slots x 3 x padded K
  std::size_t components;
};

/// `slot`, `t1` and `t2` have `count` entries each; t2 is not read in the curved form.
struct DensityCells {
  const std::uint32_t* slot;
  const double *t1, *t2;
  std::size_t count;
};

/// out[o][k] = exp(log f_k - top[o]) with top[o] = max_k log f_k, and 0 in the padding; `out` is
/// cells x padded K.
void scaled_densities(const DensityTable& table, const DensityCells& cells, double* out,
                      double* top);

/// Cells of one slot. The responsibility of component k for cell o is
/// r_k = weight[o] vectors[row[o]][k] density[o][k].
struct MomentCells {
  const double* vectors;     ///< rows x padded K
  const std::uint32_t* row;  ///< per cell
  const double* weight;      ///< per cell
  const double* density;     ///< cells x padded K; null: 1 everywhere
  const double *u1, *u2;     ///< per cell
  std::size_t count, padded;
};

/// Adds sum_o r_k, sum_o r_k u1 and sum_o r_k u2 to `sums`, 3 x padded K, in the order of the
/// cells.
void add_moments(const MomentCells& cells, double* sums);

}  // namespace medley::kernels
