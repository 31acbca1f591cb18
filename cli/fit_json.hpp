// SPDX-License-Identifier: Apache-2.0
// The summary of a fit for programs.
#pragma once

#include <string>

#include "medley/data.hpp"
#include "medley/fit.hpp"
#include "medley/model.hpp"

namespace medley::cli {

/// One JSON object with everything that is known of the fit, ending in a line end.
[[nodiscard]] std::string fit_json(const Model& model, const Dataset& data,
                                   const ChosenOptions& choice, const std::string& model_file);

}  // namespace medley::cli
