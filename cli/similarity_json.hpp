// SPDX-License-Identifier: Apache-2.0
// The rows most like given ones, for programs. Components are numbered from 1.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "medley/data.hpp"
#include "medley/predict.hpp"

namespace medley::cli {

/// One JSON object, ending in a line end; `found` holds what is like each of `rows`.
[[nodiscard]] std::string similarity_json(const Model& model, const Dataset& data,
                                          const std::vector<std::size_t>& rows,
                                          const Similarity& found);

}  // namespace medley::cli
