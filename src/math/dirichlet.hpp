// SPDX-License-Identifier: Apache-2.0
// The Dirichlet distribution: its normaliser, and the parameter that fits expected log proportions.
//
//   F(alpha) = n [log Gamma(alpha_0) - sum_k log Gamma(alpha_k)] + sum_k (alpha_k - 1) s_k,
//   concave,
//
// with s_k = sum_i E log theta_ik over n (weighted) rows; alpha_0 = sum_k alpha_k.
#pragma once

#include <span>
#include <vector>

#include "math/alpha_newton.hpp"

namespace medley::math {

/// lnB(a) = sum_k log Gamma(a_k) - log Gamma(sum_k a_k).
[[nodiscard]] double log_beta(std::span<const double> a);

/// F(alpha) above.
[[nodiscard]] double dirichlet_objective(std::span<const double> alpha, std::span<const double> s,
                                         double n);

/// Gradient of F.
[[nodiscard]] std::vector<double> dirichlet_gradient(std::span<const double> alpha,
                                                     std::span<const double> s, double n);

/// The alpha that maximises F, from `alpha`; F never falls. At most 50 Newton steps.
void fit_dirichlet(std::vector<double>& alpha, std::span<const double> s, double n);

/// The same for alpha_k = a, k = 1..K: Newton in log a. `total` = sum_k s_k.
[[nodiscard]] double fit_symmetric_dirichlet(double a, std::size_t components, double total,
                                             double n);

}  // namespace medley::math
