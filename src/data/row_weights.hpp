// SPDX-License-Identifier: Apache-2.0
// Row weights from a column: sampling weights are scaled to sum to the number of rows, frequency
// weights are counts (whole numbers) and stay as they are.
#pragma once

#include <vector>

#include "data/encode_source.hpp"

namespace medley::data {

/// One weight per row; every bad cell goes to the context's problems, by line.
[[nodiscard]] std::vector<double> row_weights(const EncodeContext& context,
                                              const ColumnRef& column);

}  // namespace medley::data
