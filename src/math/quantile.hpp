// SPDX-License-Identifier: Apache-2.0
// The quantile of a sample: between the two values that lie about it, in proportion.
#pragma once

#include <span>

namespace medley::math {

/// `sorted`: ascending, at least one; 0 <= p <= 1.
[[nodiscard]] double quantile(std::span<const double> sorted, double p);

}  // namespace medley::math
