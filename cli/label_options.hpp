// SPDX-License-Identifier: Apache-2.0
// How the label takes part in a fit, and what inner validation chooses of it.
#pragma once

#include <cstddef>
#include <vector>

#include "command_line.hpp"
#include "medley/fit.hpp"
#include "medley/options.hpp"

namespace medley::cli {

/// --k with one or several sizes, 2,4,8, or auto, the first of which is the fit's; `sizes` gets
/// them all.
Option add_sizes_option(Command& command, FitOptions& fit, Auto& choose,
                        std::vector<std::size_t>& sizes);
/// With --k auto the label weight is chosen too, and the pull of the conditional objective, unless
/// they were given.
void complete_choice(const FitOptions& fit, Auto& choose);

}  // namespace medley::cli
