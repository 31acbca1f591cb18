// SPDX-License-Identifier: Apache-2.0
// A small heat map for terminals: the answers that tell profiles apart best, a shaded cell for each
// profile and the population. Shades are the probability; on a terminal their colour says whether
// the profile gives the answer more often than the population (orange) or less often (blue).
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "model/model.hpp"

namespace medley::report {

/// Its lines; none if the model has no answers, one profile, or more than the width holds.
[[nodiscard]] std::vector<std::string> heat_text(const model::Parts& parts, std::size_t width,
                                                 bool colour);

}  // namespace medley::report
