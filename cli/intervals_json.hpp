// SPDX-License-Identifier: Apache-2.0
// Group means and the estimates of a bootstrap with their intervals, for programs.
#pragma once

#include <string>

#include "medley/uncertainty.hpp"

namespace medley::cli {

/// One JSON object each, ending in a line end. A number with its interval is {NAME, se, low, high},
/// null where there is none; profiles are numbered from 1.
[[nodiscard]] std::string groups_json(const GroupMeans& means);
[[nodiscard]] std::string bootstrap_json(const Bootstrap& found, const Model& model);

}  // namespace medley::cli
