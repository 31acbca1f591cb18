// SPDX-License-Identifier: Apache-2.0
// The pass: the one hot computation behind every E-step. For one row, with likelihood rows L[o]
// (count x padded K, row-major), weights w[o] and the row's current component weights e[K]:
//
//   n_o = <e, L_o>                      one dot product per observation
//   g   = sum_o (w_o / n_o) L_o         one axpy per observation
//   out = e * g                         expected counts: sum_k out_k = sum_o w_o
//
// One source for every instruction set, chosen at run time; float for iterating, double for
// scoring. Cost: 4 count K flops, no allocation. tests/kernels/reference.hpp has the plain loop
// that tests compare with.
#pragma once

#include <cstddef>
#include <cstdint>

namespace medley::kernels {

/// Writes n_o to norm and e * g to out; returns the smallest n_o (1 if count is 0).
float pass(const float* rows, const float* weight, std::size_t count, std::size_t padded,
           const float* e, float* norm, float* out);
double pass(const double* rows, const double* weight, std::size_t count, std::size_t padded,
            const double* e, double* norm, double* out);

/// Only the first half: norm[o] = <e, L_o>; returns the smallest.
double norms(const double* rows, std::size_t count, std::size_t padded, const double* e,
             double* norm);
/// Rows in float, sums in double.
double norms(const float* rows, std::size_t count, std::size_t padded, const double* e,
             double* norm);

/// sum_o w_o log norm_o, in order.
double sum_log(const double* norm, const double* weight, std::size_t count);

/// Statistics of one table row: out[k] += sum_j coefficient[cell[j]] * vectors[row[j]][k], in a
/// fixed order.
void accumulate(const double* vectors, std::size_t padded, const std::uint32_t* row,
                const std::uint32_t* cell, const double* coefficient, std::size_t count,
                double* out);
/// Vectors in float, sums in double.
void accumulate(const float* vectors, std::size_t padded, const std::uint32_t* row,
                const std::uint32_t* cell, const double* coefficient, std::size_t count,
                double* out);

}  // namespace medley::kernels
