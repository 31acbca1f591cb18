// SPDX-License-Identifier: Apache-2.0
#include "written_json.hpp"

#include <cmath>
#include <nlohmann/json.hpp>

namespace medley::cli {

std::string json_text(const nlohmann::ordered_json& json) {
  return json.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

nlohmann::ordered_json json_number(double value) {
  return std::isfinite(value) ? nlohmann::ordered_json(value) : nlohmann::ordered_json();
}

nlohmann::ordered_json calibration_json(const std::vector<CalibrationBin>& bins) {
  nlohmann::ordered_json out = nlohmann::ordered_json::array();
  for (const CalibrationBin& bin : bins) {
    out.push_back({{"low", bin.low},
                   {"high", bin.high},
                   {"rows", bin.rows},
                   {"confidence", bin.rows > 0 ? json_number(bin.confidence) : nullptr},
                   {"accuracy", bin.rows > 0 ? json_number(bin.accuracy) : nullptr}});
  }
  return out;
}

nlohmann::ordered_json weights_json(const Weighting& weights) {
  if (!weights.used()) return {};
  return {{"column", weights.column},
          {"kind", weights.counts ? "frequency" : "sampling"},
          {"stand_for", weights.stands_for},
          {"cells", weights.cells}};
}

}  // namespace medley::cli
