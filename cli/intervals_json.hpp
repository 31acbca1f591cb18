// SPDX-License-Identifier: Apache-2.0
// A number with its standard error and interval, for programs.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "medley/uncertainty.hpp"

namespace medley::cli {

/// {NAME, se, low, high}; null where there is none.
[[nodiscard]] nlohmann::ordered_json interval_json(const std::string& name,
                                                   const IntervalEstimate& estimate);

}  // namespace medley::cli
