// SPDX-License-Identifier: Apache-2.0
#include "data/block_weights.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "core/text.hpp"
#include "data/wording.hpp"

namespace medley::data {
namespace {

Problem unknown_block(const std::string& name, const std::vector<Block>& blocks) {
  std::vector<std::string> names;
  for (const Block& block : blocks) names.push_back(block.name);
  const std::string meant = closest(name, names);
  return {core::setting("block_weight", name), "there is no block " + core::quoted(name),
          (meant.empty() ? "" : "did you mean " + core::quoted(meant) + "? ") +
              "the blocks are: " + listed(names)};
}

// The weights are floats: one that rounds to 0 or past the largest float is none.
bool is_weight(double weight) {
  return weight >= static_cast<double>(std::numeric_limits<float>::min()) &&
         weight <= static_cast<double>(std::numeric_limits<float>::max());
}

}  // namespace

void apply_block_weights(const Schema& schema, std::vector<Block>& blocks,
                         core::Problems& problems) {
  for (const auto& [name, weight] : schema.block_weight) {
    const auto block =
        std::find_if(blocks.begin(), blocks.end(), [&](const Block& b) { return b.name == name; });
    if (block == blocks.end()) {
      const Problem problem = unknown_block(name, blocks);
      problems.add(problem.where, problem.what, problem.remedy);
    } else if (!is_weight(weight)) {
      problems.add(core::setting("block_weight", name), "the weight must be a number above 0");
    } else if (weight != 1) {
      if (block->weight.empty()) block->weight.assign(block->cells(), 1.0F);
      for (float& each : block->weight) each *= static_cast<float>(weight);
    }
  }
}

bool is_tempered(const Schema& schema) {
  return std::ranges::any_of(schema.block_weight,
                             [](const auto& entry) { return entry.second != 1; });
}

}  // namespace medley::data
