// SPDX-License-Identifier: Apache-2.0
// Small symmetric matrices (row-major, n x n): weighted sums of squares, solving, axes. Wraps
// Eigen, so that only one file compiles it.
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <vector>

namespace medley::math {

/// sum_i weight_i x_i x_i^T, n x n; x_i (n numbers) begins at rows[i * stride].
[[nodiscard]] std::vector<double> weighted_squares(std::span<const double> rows, std::size_t stride,
                                                   std::size_t n, std::span<const double> weight);

/// Replaces b by A^-1 b. Returns false and leaves b unchanged if A is not positive definite.
[[nodiscard]] bool solve_positive(std::span<const double> a, std::span<double> b);

/// Replaces z, n independent standard normal numbers, by a draw from N(0, A^-1). A must be positive
/// definite.
void draw_with_precision(std::span<const double> a, std::span<double> z);

/// Adds weight (I + X^T X)^-1, n x n, to `into`; X has any number of rows of n numbers. Fast if X
/// has few rows (Woodbury's identity).
void add_inverse(std::span<const double> x, std::size_t n, double weight, std::span<double> into);

/// The matrix with the same eigenvectors and f applied to every eigenvalue.
[[nodiscard]] std::vector<double> of_eigenvalues(std::span<const double> a, std::size_t n,
                                                 const std::function<double(double)>& f);

/// The `count` leading eigenvectors of A, each times the square root of its eigenvalue (0 if below
/// 0): n x count, column by column, the longest first. The largest entry of each is positive.
[[nodiscard]] std::vector<double> leading_axes(std::span<const double> a, std::size_t n,
                                               std::size_t count);

}  // namespace medley::math
