// SPDX-License-Identifier: Apache-2.0
#include "kernels/reference.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "math/special.hpp"

namespace medley::kernels::reference {

PassResult pass(const std::vector<std::vector<double>>& rows, const std::vector<double>& weight,
                const std::vector<double>& e) {
  PassResult result;
  result.out.assign(e.size(), 0.0);
  for (std::size_t o = 0; o < rows.size(); ++o) {
    double n = 0;
    for (std::size_t k = 0; k < e.size(); ++k) n += e[k] * rows[o][k];
    result.norm.push_back(n);
    result.smallest = o == 0 ? n : std::min(result.smallest, n);
    for (std::size_t k = 0; k < e.size(); ++k) result.out[k] += weight[o] * e[k] * rows[o][k] / n;
  }
  return result;
}

std::vector<double> accumulate(const std::vector<std::vector<double>>& vectors,
                               const std::vector<std::uint32_t>& row,
                               const std::vector<std::uint32_t>& cell,
                               const std::vector<double>& coefficient) {
  std::vector<double> out(vectors.empty() ? 0 : vectors[0].size(), 0.0);
  for (std::size_t j = 0; j < row.size(); ++j) {
    for (std::size_t k = 0; k < out.size(); ++k)
      out[k] += coefficient[cell[j]] * vectors[row[j]][k];
  }
  return out;
}

std::vector<double> exp_digamma(const std::vector<double>& x) {
  std::vector<double> out;
  for (const double v : x) out.push_back(math::digamma(v));
  const double largest = *std::max_element(out.begin(), out.end());
  for (double& v : out) v = std::exp(v - largest);
  return out;
}

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
