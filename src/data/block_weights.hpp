// SPDX-License-Identifier: Apache-2.0
// Block weights: how much the cells of a block count beside those of other blocks.
#pragma once

#include <vector>

#include "core/problems.hpp"
#include "medley/dataset.hpp"

namespace medley::data {

/// Multiplies the cell weights of the blocks that Schema::block_weight names. Unknown blocks and
/// weights that are not above 0 go to `problems`.
void apply_block_weights(const Schema& schema, std::vector<Block>& blocks,
                         core::Problems& problems);

}  // namespace medley::data
