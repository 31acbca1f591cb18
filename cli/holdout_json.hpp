// SPDX-License-Identifier: Apache-2.0
// The scores of hidden cells for programs.
#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "medley/predict.hpp"

namespace medley::cli {

/// One JSON object with every score, ending in a line end.
[[nodiscard]] std::string holdout_json(const Holdout& holdout, const HoldoutOptions& options,
                                       std::size_t repeats);

/// The same for several numbers of profiles, each with its scores.
[[nodiscard]] std::string holdouts_json(
    const std::vector<std::pair<std::size_t, Holdout>>& holdouts, const HoldoutOptions& options,
    std::size_t repeats);

}  // namespace medley::cli
