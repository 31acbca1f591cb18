// SPDX-License-Identifier: Apache-2.0
// Row weights in words: that they were used, and what the rows stand for.
#pragma once

#include <cstddef>
#include <string>

#include "medley/data.hpp"

namespace medley::report {

/// A sentence such as `Rows are weighted by "w" (sampling weights): 1,500 rows stand for 45,000.`
/// Empty where no weights were used.
[[nodiscard]] std::string weights_sentence(const Weighting& weights, std::size_t rows);

/// What a number of observations is: ", weighted from 22,371 cells"; empty without weights.
[[nodiscard]] std::string weighted_cells(const Weighting& weights);

}  // namespace medley::report
