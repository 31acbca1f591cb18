// SPDX-License-Identifier: Apache-2.0
// Starting from another model, across memberships: the columns, levels and words must
// be the same; alpha and class shares are turned into each other.
#pragma once

#include <vector>

#include "engines/engine.hpp"
#include "medley/model.hpp"

namespace medley::engines {

/// Sets tables and prior of `model` from another; `shapes` are the data's blocks. Throws InputError
/// if the number of components differs or it lacks a block.
void start_from_model(const Model& from, const std::vector<Block>& shapes, EmModel& model);

}  // namespace medley::engines
