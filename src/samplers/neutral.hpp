// SPDX-License-Identifier: Apache-2.0
// A family that has seen its data and learnt nothing: what the rows of Family::parameters() hold
// that are no parameters of a component, and so what a draw of a component begins with.
#pragma once

#include <vector>

#include "medley/data.hpp"

namespace medley::samplers {

/// One number per row of Family::parameters().
[[nodiscard]] std::vector<double> neutral_column(const Block& block);

}  // namespace medley::samplers
