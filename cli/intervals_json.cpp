// SPDX-License-Identifier: Apache-2.0
#include "intervals_json.hpp"

#include <cmath>
#include <nlohmann/json.hpp>

namespace medley::cli {

nlohmann::ordered_json interval_json(const std::string& name, const IntervalEstimate& estimate) {
  const auto number = [](double value) {
    return std::isfinite(value) ? nlohmann::ordered_json(value) : nlohmann::ordered_json();
  };
  return {{name, number(estimate.value)},
          {"se", number(estimate.standard_error)},
          {"low", number(estimate.low)},
          {"high", number(estimate.high)}};
}

}  // namespace medley::cli
