// SPDX-License-Identifier: Apache-2.0
// Columns set aside for the caller: the label, and those asked for with ReadOptions::keep.
#pragma once

#include <string>
#include <vector>

#include "data/encode_source.hpp"

namespace medley::data {

/// `spec` is what the schema says of the column, if it does (else null). The codes of a label refer
/// to its levels there, and what is not among them is kUnknownClass with a
/// warning; else the levels are the
/// column's distinct values in bytewise order.
[[nodiscard]] KeptColumn keep_column(const EncodeContext& context, const ColumnRef& column,
                                     const ColumnSpec* spec);

}  // namespace medley::data
