// SPDX-License-Identifier: Apache-2.0
// The Dirichlet-multinomial (Polya) distribution of counts: with theta ~ Dirichlet(alpha)
// integrated out, m observations fall into components as z_1 .. z_m with counts n with probability
//
//   p(z) = B(alpha + n) / B(alpha) = prod_k alpha_k (alpha_k + 1) .. (alpha_k + n_k - 1)
//                                    / (alpha_0 (alpha_0 + 1) .. (alpha_0 + m - 1))
//
// and the alpha that fits many rows depends on them only through how many have n_k > t, and m > t.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "math/alpha_newton.hpp"

namespace medley::math {

/// Weighted rows, or expected ones, by how many observations they have.
struct CountsOfCounts {
  std::vector<std::vector<double>> component;  ///< K; [k][t]: rows with n_k > t
  std::vector<double> total;                   ///< [t]: rows with m > t

  CountsOfCounts() = default;
  CountsOfCounts(std::size_t components, std::size_t depth)
      : component(components, std::vector<double>(depth, 0.0)), total(depth, 0.0) {}
  [[nodiscard]] bool empty() const { return component.empty(); }
  /// Rows with something observed.
  [[nodiscard]] double rows() const { return total.empty() ? 0.0 : total.front(); }
};

/// log x (x + 1) .. (x + count - 1) for count = 0 .. most.
[[nodiscard]] std::vector<double> log_rising(double x, std::size_t most);

/// sum over rows of log B(alpha + n) / B(alpha), and its gradient.
[[nodiscard]] double polya_objective(std::span<const double> alpha, const CountsOfCounts& counts);
[[nodiscard]] std::vector<double> polya_gradient(std::span<const double> alpha,
                                                 const CountsOfCounts& counts);

/// Moves alpha to a maximum of the objective, which never falls.
void fit_polya(std::vector<double>& alpha, const CountsOfCounts& counts);
/// The same for alpha_k = a.
[[nodiscard]] double fit_symmetric_polya(double a, const CountsOfCounts& counts);

}  // namespace medley::math
