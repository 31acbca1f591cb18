// SPDX-License-Identifier: Apache-2.0
// Locations l_k of components (K x q, row-major) under l_k ~ N(0, sigma2 I), with rows u ~ N(0, I).
// The logarithms of a row's weights, L u, have the covariance L L^T. Given the mean over n rows of
// their second moments, E[L u u^T L^T] = L S L^T, the most probable L has
//
//   L L^T = g(L S L^T),   g(x) = 2 x / (1 + sqrt(1 + 4 x / (n sigma2))) for every eigenvalue x
//
// where g(x) maximises -n/2 log e - n x / (2 e) - e / (2 sigma2) over e.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace medley::memberships {

/// The next L. Of all matrices with this covariance it is the nearest to the present one, so that u
/// means nearly the same. `second_moment`: S, q x q. `strength`: n sigma2.
[[nodiscard]] std::vector<double> rescaled(std::span<const double> locations,
                                           std::span<const double> second_moment, double strength);

}  // namespace medley::memberships
