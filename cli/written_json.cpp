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

}  // namespace medley::cli
