// SPDX-License-Identifier: Apache-2.0
// What to make of a selection, in sentences.
#pragma once

#include <string>
#include <vector>

#include "medley/select.hpp"

namespace medley::choose {

/// One K, that of the first criterion that can choose; which criteria say otherwise, and what they
/// reward; whether optima were found again.
[[nodiscard]] std::string advise(const Selection& selection);
/// What is to be held against the numbers: bounds, chains that have not mixed, and the like.
[[nodiscard]] std::vector<std::string> selection_warnings(const Selection& selection);

}  // namespace medley::choose
