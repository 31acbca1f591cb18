// SPDX-License-Identifier: Apache-2.0
// The sum of table rows as a plain loop in double.
#pragma once

#include <cstdint>
#include <vector>

namespace medley::kernels::reference {

/// sum_o weight[o] * table[slot[o]], K numbers; `weight` empty: 1 everywhere.
[[nodiscard]] std::vector<double> add_rows(const std::vector<std::vector<double>>& table,
                                           const std::vector<std::uint32_t>& slot,
                                           const std::vector<float>& weight);

}  // namespace medley::kernels::reference
