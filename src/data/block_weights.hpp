// SPDX-License-Identifier: Apache-2.0
// Block weights: how much the cells of a block count beside those of other blocks.
#pragma once

#include <vector>

#include "core/problems.hpp"
#include "medley/data.hpp"

namespace medley::data {

/// Multiplies the cell weights of the blocks that Schema::block_weight names. Unknown blocks and
/// weights that are not above 0 go to `problems`.
void apply_block_weights(const Schema& schema, std::vector<Block>& blocks,
                         core::Problems& problems);

/// Whether a block counts other than once: the likelihood is then that of no distribution over the
/// cells, and what is made of it is called tempered.
[[nodiscard]] bool is_tempered(const Schema& schema);

}  // namespace medley::data
