// SPDX-License-Identifier: Apache-2.0
// A schema as it travels inside model files.
#pragma once

#include <string>

#include "medley/data.hpp"

namespace medley::model {

[[nodiscard]] std::string schema_to_json(const Schema& schema);
/// Throws InputError naming `origin` if the text is not such a schema.
[[nodiscard]] Schema schema_from_json(const std::string& text, const std::string& origin);

}  // namespace medley::model
