// SPDX-License-Identifier: Apache-2.0
// Special functions of one double, accurate over the whole positive axis. For vectors inside hot
// loops use kernels/special_vectors.hpp.
#pragma once

namespace medley::math {

/// d/dx log Gamma(x), x > 0.
[[nodiscard]] double digamma(double x);
/// d2/dx2 log Gamma(x), x > 0.
[[nodiscard]] double trigamma(double x);
/// log Gamma(x), x > 0; safe to call from several threads.
[[nodiscard]] double log_gamma(double x);

}  // namespace medley::math
