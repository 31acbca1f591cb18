// SPDX-License-Identifier: Apache-2.0
// The draws of a sampled model as tensors of its file, one draw after the other:
//
//   draws.chain, .sweep, .components   one number per draw
//   draws.prior, draws.onto         of all draws; K_d and K_d x K numbers each
//   draws.block.B                   tables, rows x K_d each
//   draws.trace.I                   chains x sweeps; their names in draws.names
#pragma once

#include <memory>

#include "core/safetensors.hpp"
#include "model/draws.hpp"
#include "model/model.hpp"

namespace medley::model {

void put_draws(core::TensorFile& file, const Draws& draws);
/// Loads the draws for a model whose blocks, membership and profiles are already loaded. Null if
/// the file has none. Checks every size against the file before using it; InputError if they
/// disagree.
[[nodiscard]] std::shared_ptr<const Draws> load_draws(const core::TensorFile& file,
                                                      const Parts& parts);

}  // namespace medley::model
