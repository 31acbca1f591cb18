// SPDX-License-Identifier: Apache-2.0
// Predicted probabilities of classes beside the observed frequencies, as a table.
#pragma once

#include <string>
#include <vector>

#include "medley/predict.hpp"

namespace medley::report {

/// A heading, then one line per bin that has rows.
[[nodiscard]] std::string calibration_table(const std::vector<CalibrationBin>& bins);

}  // namespace medley::report
