// SPDX-License-Identifier: Apache-2.0
// JSON as every command writes it; for the files *_json.cpp, which alone make it.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace medley::cli {

/// Indented, ending in a line end. Names from a file need not be UTF-8; what is not is replaced
/// rather than refused.
[[nodiscard]] std::string json_text(const nlohmann::ordered_json& json);

/// Null for what is not finite.
[[nodiscard]] nlohmann::ordered_json json_number(double value);

}  // namespace medley::cli
