// SPDX-License-Identifier: Apache-2.0
// Noise in hidden yes/no cells: an answer is replaced by the other one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "medley/data.hpp"
#include "medley/predict.hpp"

namespace medley::evaluation {

/// The places of all cells of features with exactly two levels, in random order: the first m of
/// them are a random choice, and part of the first m + 1.
[[nodiscard]] std::vector<CellPlace> shuffled_yes_no_cells(const Dataset& data, std::uint64_t seed);

/// The data with the answers at these places turned round.
[[nodiscard]] Dataset with_flips(Dataset data, std::span<const CellPlace> places);

}  // namespace medley::evaluation
