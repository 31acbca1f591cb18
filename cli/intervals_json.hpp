// SPDX-License-Identifier: Apache-2.0
// A number with its standard error and interval, for programs.
#pragma once

#include <cmath>
#include <nlohmann/json.hpp>
#include <string>

#include "medley/uncertainty.hpp"

namespace medley::cli {

/// {NAME, se, low, high}; null where there is none.
[[nodiscard]] inline nlohmann::ordered_json interval_json(const std::string& name,
                                                          const IntervalEstimate& estimate) {
  const auto number = [](double value) {
    return std::isfinite(value) ? nlohmann::ordered_json(value) : nlohmann::ordered_json();
  };
  return {{name, number(estimate.value)},
          {"se", number(estimate.standard_error)},
          {"low", number(estimate.low)},
          {"high", number(estimate.high)}};
}

}  // namespace medley::cli
