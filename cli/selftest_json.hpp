// SPDX-License-Identifier: Apache-2.0
// Whether a sampler is right, for programs.
#pragma once

#include <string>

#include "medley/uncertainty.hpp"

namespace medley::cli {

/// One JSON object with every quantity tested, ending in a line end.
[[nodiscard]] std::string selftest_json(const SelfTest& test);

}  // namespace medley::cli
