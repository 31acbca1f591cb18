// SPDX-License-Identifier: Apache-2.0
// Predicted classes and their scores as JSON. Components are numbered from 1.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <vector>

#include "medley/classify.hpp"

namespace medley::cli {

/// What `evaluate --json` has under "label".
[[nodiscard]] nlohmann::ordered_json label_json(const LabelScores& scores);

/// The whole of `predict --json`; `drivers` is empty, or has one entry per row.
[[nodiscard]] nlohmann::ordered_json classes_json(const Model& model, const Dataset& data,
                                                  const ClassProbabilities& predicted,
                                                  const std::vector<ClassDrivers>& drivers);

}  // namespace medley::cli
