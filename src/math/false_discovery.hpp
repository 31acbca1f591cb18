// SPDX-License-Identifier: Apache-2.0
// Many tests at once: which are more than chance (Benjamini and Hochberg 1995, "Controlling the
// false discovery rate"). Of those counted, a share `rate` at most is expected to be chance; if all
// are, nothing is counted with probability 1 - rate.
#pragma once

#include <vector>

namespace medley::math {

/// The level at which p values count: p_(i) for the largest i with p_(i) <= rate i / m, p
/// ascending. Below every p if none counts.
[[nodiscard]] double false_discovery_level(std::vector<double> p, double rate);

}  // namespace medley::math
