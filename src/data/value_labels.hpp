// SPDX-License-Identifier: Apache-2.0
// What the levels of a column mean, where the file says so: 1 = "North", 2 = "South".
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace medley::data {

using ValueLabels = std::vector<std::pair<std::string, std::string>>;

/// One label per level, the level itself where there is none; empty if no level has one.
[[nodiscard]] std::vector<std::string> labels_of(const std::vector<std::string>& levels,
                                                 const ValueLabels& labels);

/// Whether every level has a label: then the column holds codes, whatever they look like.
[[nodiscard]] bool all_labelled(const std::vector<std::string>& levels, const ValueLabels& labels);

}  // namespace medley::data
