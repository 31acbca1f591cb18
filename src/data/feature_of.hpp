// SPDX-License-Identifier: Apache-2.0
// From a slot to the feature that it belongs to.
#pragma once

#include <algorithm>
#include <cstddef>

#include "medley/data.hpp"

namespace medley::data {

[[nodiscard]] inline std::size_t feature_of(const Block& block, std::size_t slot) {
  return static_cast<std::size_t>(std::ranges::upper_bound(block.first_slot, slot) -
                                  block.first_slot.begin() - 1);
}

}  // namespace medley::data
