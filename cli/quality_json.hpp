// SPDX-License-Identifier: Apache-2.0
// Quality and absolute fit as one JSON object each. Components are numbered from 1.
#pragma once

#include <string>

#include "medley/evaluate.hpp"

namespace medley::cli {

[[nodiscard]] std::string quality_json(const Quality& quality, const Model& model);
[[nodiscard]] std::string absolute_fit_json(const AbsoluteFit& fit);

}  // namespace medley::cli
