// SPDX-License-Identifier: Apache-2.0
// Predicted classes as JSON. Components are numbered from 1.
#pragma once

#include <string>
#include <vector>

#include "medley/predict.hpp"

namespace medley::cli {

/// The whole of `predict --json`; `drivers` is empty, or has one entry per row.
[[nodiscard]] std::string classes_json(const Model& model, const Dataset& data,
                                       const ClassProbabilities& predicted,
                                       const std::vector<ClassDrivers>& drivers);

}  // namespace medley::cli
