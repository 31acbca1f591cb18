// SPDX-License-Identifier: Apache-2.0
// Row weights from a column: sampling weights are scaled to sum to the number of rows, frequency
// weights are counts (whole numbers) and stay as they are.
#pragma once

#include <vector>

#include "data/encode_source.hpp"

namespace medley::data {

/// One weight per row; every bad cell goes to the context's problems, by line. `unit` becomes the
/// weight in the file that a weight of 1 was: the mean of sampling weights.
[[nodiscard]] std::vector<double> row_weights(const EncodeContext& context, const ColumnRef& column,
                                              double& unit);

}  // namespace medley::data
