// SPDX-License-Identifier: Apache-2.0
// Shares theta_k = w_k / sum_l w_l of independent gamma variables w_k ~ Gamma(a, rate r_k). With
// one common rate they are Dirichlet(a); with several, 1/x = int_0^inf exp(-t x) dt gives
//
//   E[theta_k]         = int a / (r_k + t)                            prod_l (r_l / (r_l + t))^a dt
//   E[theta_k theta_l] = int t a (a + [k = l]) / ((r_k + t)(r_l + t)) prod_l (r_l / (r_l + t))^a dt
//
// by the trapezoidal rule in log t, which is exact to about 1e-13 here.
#pragma once

#include <span>

#include "memberships/membership.hpp"

namespace medley::memberships {

/// a > 0, every rate > 0.
[[nodiscard]] PriorMoments moments_of_gamma_shares(double a, std::span<const double> rates);

}  // namespace medley::memberships
