// SPDX-License-Identifier: Apache-2.0
#include "kernels/reference/pooled_rows.hpp"

#include <cstddef>

namespace medley::kernels::reference {

std::vector<double> add_rows(const std::vector<std::vector<double>>& table,
                             const std::vector<std::uint32_t>& slot,
                             const std::vector<float>& weight) {
  std::vector<double> total(table.front().size(), 0.0);
  for (std::size_t o = 0; o < slot.size(); ++o) {
    const double w = weight.empty() ? 1.0 : static_cast<double>(weight[o]);
    for (std::size_t k = 0; k < total.size(); ++k) total[k] += w * table[slot[o]][k];
  }
  return total;
}

}  // namespace medley::kernels::reference
