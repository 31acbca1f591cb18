// SPDX-License-Identifier: Apache-2.0
// Names of profiles from a file.
#pragma once

#include <string>

#include "medley/model.hpp"

namespace medley::cli {

/// The model with the names of a TOML file (report.hpp). Throws InputError.
[[nodiscard]] Model named_from(const Model& model, const std::string& path);

}  // namespace medley::cli
