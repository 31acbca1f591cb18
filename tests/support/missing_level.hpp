// SPDX-License-Identifier: Apache-2.0
// Data as `--missing category` reads it, made by hand.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "medley/data.hpp"

namespace medley::test {

/// Every column of levels gets the level of missing cells, which no cell here has.
inline void take_missing_as_level(Dataset& data) {
  data.schema.missing_as_category = true;
  for (Block& block : data.blocks) {
    if (block.encoding != Encoding::levels) continue;
    std::vector<std::uint32_t> slot_of, first = {0};
    for (std::size_t f = 0; f < block.features.size(); ++f) {
      for (std::uint32_t s = block.first_slot[f]; s < block.first_slot[f + 1]; ++s)
        slot_of.push_back(s + static_cast<std::uint32_t>(f));
      block.features[f].levels.emplace_back(kMissingLevel);
      first.push_back(block.first_slot[f + 1] + static_cast<std::uint32_t>(f) + 1);
    }
    for (std::uint32_t& slot : block.slot) slot = slot_of[slot];
    block.first_slot = std::move(first);
  }
}

}  // namespace medley::test
