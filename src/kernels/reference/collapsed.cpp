// SPDX-License-Identifier: Apache-2.0
#include "kernels/reference/collapsed.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace medley::kernels::reference {

double update_collapsed(CollapsedObservation& o) {
  const double own_row = std::min(1.0, o.weight);
  const double own_table = std::min(1.0, o.weight * o.row_weight);
  std::vector<double> next;
  double sum = 0;
  for (std::size_t k = 0; k < o.phi.size(); ++k) {
    next.push_back((o.row[k] - own_row * o.phi[k]) * (o.slot[k] - own_table * o.phi[k]) /
                   (o.total[k] - own_table * o.phi[k]));
    sum += next.back();
  }
  double powers = 0, dealt = 0;
  for (double& p : next) powers += p = std::pow(p, o.power);
  for (std::size_t k = 0; k < o.phi.size(); ++k)
    dealt += next[k] = std::max(0.0, o.phi[k] + o.step * (next[k] / powers - o.phi[k]));
  for (std::size_t k = 0; k < o.phi.size(); ++k) {
    const double change = next[k] / dealt - o.phi[k];
    o.phi[k] += change;
    o.row[k] += o.weight * change;
    o.slot[k] += o.weight * o.row_weight * change;
    o.total[k] += o.weight * o.row_weight * change;
  }
  return sum;
}

}  // namespace medley::kernels::reference
