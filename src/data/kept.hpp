// SPDX-License-Identifier: Apache-2.0
// Columns set aside for the caller: the label, and those asked for with ReadOptions::keep.
#pragma once

#include <string>
#include <vector>

#include "data/encode_source.hpp"

namespace medley::data {

/// With `levels` the codes refer to these, and what is not among them is -1 with a warning;
/// without, the levels are the column's distinct values in bytewise order.
[[nodiscard]] KeptColumn keep_column(const EncodeContext& context, const ColumnRef& column,
                                     const std::vector<std::string>* levels);

}  // namespace medley::data
