// SPDX-License-Identifier: Apache-2.0
#include "kernels/reference/pass.hpp"

#include <algorithm>
#include <cmath>

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

}  // namespace medley::kernels::reference
