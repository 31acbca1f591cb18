// SPDX-License-Identifier: Apache-2.0
// JSON as every command writes it; for the files *_json.cpp, which alone make it.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "medley/data.hpp"
#include "medley/predict.hpp"

namespace medley::cli {

/// Indented, ending in a line end. Names from a file need not be UTF-8; what is not is replaced
/// rather than refused.
[[nodiscard]] std::string json_text(const nlohmann::ordered_json& json);

/// Null for what is not finite.
[[nodiscard]] nlohmann::ordered_json json_number(double value);

/// What "calibration" holds: the bins, with null for the means of one without rows.
[[nodiscard]] nlohmann::ordered_json calibration_json(const std::vector<CalibrationBin>& bins);

/// What "weights" holds of rows that are weighted; null of others.
[[nodiscard]] nlohmann::ordered_json weights_json(const Weighting& weights);

}  // namespace medley::cli
