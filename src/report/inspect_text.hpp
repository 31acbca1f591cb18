// SPDX-License-Identifier: Apache-2.0
// A small heat map for terminals: the answers that distinguish profiles best, with a shaded cell
// for each profile and the population. The shade shows the probability; in colour, orange means
// that the profile gives the answer more often than the population, blue less often.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "model/model.hpp"

namespace medley::report {

/// The lines; none if the model has no answers, only one profile, or more than the width holds.
[[nodiscard]] std::vector<std::string> heat_text(const model::Parts& parts, std::size_t width,
                                                 bool colour);

}  // namespace medley::report
