// SPDX-License-Identifier: Apache-2.0
// Locations l_k of components (K x q, row-major) under l_k ~ N(0, sigma2 I), rows having u ~ N(0,
// I). The logarithms of a row's weights, L u, have the covariance L L^T. Given what rows say of
// theirs, E[L u u^T L^T] = L S L^T on average over n rows, the most probable L has
//
//   L L^T = g(L S L^T),   g(x) = 2 x / (1 + sqrt(1 + 4 x / (n sigma2))) for every eigenvalue x
//
// the maximum of -n/2 log e - n x / (2 e) - e / (2 sigma2) over e.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace medley::memberships {

/// The next L: of all that have this covariance, the one that is like the present one, so that u
/// means nearly the same. `second_moment`: S, q x q. `strength`: n sigma2.
[[nodiscard]] std::vector<double> rescaled(std::span<const double> locations,
                                           std::span<const double> second_moment, double strength);

}  // namespace medley::memberships
