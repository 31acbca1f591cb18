// SPDX-License-Identifier: Apache-2.0
// Weights of rows, from a column, and of blocks.
#pragma once

#include <vector>

#include "core/problems.hpp"
#include "data/encode_source.hpp"
#include "medley/data.hpp"

namespace medley::data {

// Row weights from a column: sampling weights are scaled to sum to the number of rows, frequency
// weights are counts (whole numbers) and stay as they are.

/// One weight per row; every bad cell goes to the context's problems, by line. `unit` becomes the
/// weight in the file that a weight of 1 was: the mean of sampling weights.
[[nodiscard]] std::vector<double> row_weights(const EncodeContext& context, const ColumnRef& column,
                                              double& unit);

// Block weights: how much the cells of a block count beside those of other blocks.

/// Multiplies the cell weights of the blocks that Schema::block_weight names. Unknown blocks and
/// weights that are not above 0 go to `problems`.
void apply_block_weights(const Schema& schema, std::vector<Block>& blocks,
                         core::Problems& problems);

/// Whether a block counts other than once: the likelihood is then that of no distribution over the
/// cells, and what is made of it is called tempered.
[[nodiscard]] bool is_tempered(const Schema& schema);

}  // namespace medley::data
