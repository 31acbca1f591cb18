// SPDX-License-Identifier: Apache-2.0
// Probabilities of classes beside how often they came true, as a table.
#pragma once

#include <string>
#include <vector>

#include "medley/predict.hpp"

namespace medley::report {

/// One line per bin that has rows, under a heading.
[[nodiscard]] std::string calibration_table(const std::vector<CalibrationBin>& bins);

}  // namespace medley::report
