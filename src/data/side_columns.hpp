// SPDX-License-Identifier: Apache-2.0
// Columns set aside for the caller (the label, those that are kept), and what their values mean.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "data/encode_source.hpp"

namespace medley::data {

// What the levels of a column mean, where the file says so: 1 = "North", 2 = "South".

using ValueLabels = std::vector<std::pair<std::string, std::string>>;

/// One label per level, the level itself where there is none; empty if no level has one.
[[nodiscard]] std::vector<std::string> labels_of(const std::vector<std::string>& levels,
                                                 const ValueLabels& labels);

/// Whether every level has a label: then the column holds codes, whatever they look like.
[[nodiscard]] bool all_labelled(const std::vector<std::string>& levels, const ValueLabels& labels);

// Columns set aside for the caller: the label, and those asked for with ReadOptions::keep.

/// `spec` is what the schema says of the column, if it does (else null). The codes of a label refer
/// to its levels there, and what is not among them is kUnknownClass with a
/// warning; else the levels are the
/// column's distinct values in bytewise order.
[[nodiscard]] KeptColumn keep_column(const EncodeContext& context, const ColumnRef& column,
                                     const ColumnSpec* spec);

}  // namespace medley::data
