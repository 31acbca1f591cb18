// SPDX-License-Identifier: Apache-2.0
// Logarithms of what rows hold, without what a row or a column has in common, so that they can be
// compared between rows (the double-centred log ratios of compositional data):
//
//   y_rk = log(n_rk + little),   y_rk - mean_k y_rk, and of that less its weighted mean over rows
#pragma once

#include <span>
#include <vector>

namespace medley::math {

/// `counts`: rows x columns, one weight per row. `little` > 0 keeps nothing from being infinitely
/// little.
[[nodiscard]] std::vector<double> centred_logs(std::span<const double> counts,
                                               std::span<const double> weight, double little);

}  // namespace medley::math
