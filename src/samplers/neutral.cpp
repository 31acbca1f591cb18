// SPDX-License-Identifier: Apache-2.0
#include "samplers/neutral.hpp"

#include "data/slot_index.hpp"
#include "families/registry.hpp"
#include "model/parameters.hpp"

namespace medley::samplers {

std::vector<double> neutral_column(const Block& block) {
  const auto family = families::find(block.family)->make(block, 1);
  family->observe(block, data::transpose(block), {});
  return model::unpadded(family->parameters(), 1);
}

}  // namespace medley::samplers
