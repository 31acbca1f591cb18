// SPDX-License-Identifier: Apache-2.0
// The logarithm of the mean of numbers given by their logarithms, as estimates by drawing have it.
#pragma once

#include <span>

namespace medley::math {

struct LogMean {
  double value = 0;
  double standard_error = 0;  ///< of value, by the delta method
  double effective = 0;       ///< how many equal numbers the mean is worth: (sum w)^2 / sum w^2
};

/// At least one number.
[[nodiscard]] LogMean log_mean(std::span<const double> logs);

}  // namespace medley::math
