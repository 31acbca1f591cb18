// SPDX-License-Identifier: Apache-2.0
// What is wrong with a fit or its chains, for programs.
#pragma once

#include <string>

#include "medley/uncertainty.hpp"

namespace medley::cli {

/// One JSON object with every quantity, ending in a line end.
[[nodiscard]] std::string diagnosis_json(const Diagnosis& diagnosis);

}  // namespace medley::cli
