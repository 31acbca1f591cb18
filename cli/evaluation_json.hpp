// SPDX-License-Identifier: Apache-2.0
// The scores of rows under a model for programs.
#pragma once

#include <string>

#include "medley/evaluate.hpp"

namespace medley::cli {

/// One JSON object with every score, ending in a line end.
[[nodiscard]] std::string evaluation_json(const Evaluation& scores);

}  // namespace medley::cli
