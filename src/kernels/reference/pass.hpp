// SPDX-License-Identifier: Apache-2.0
// The kernels as plain loops in double: slow, obviously right, and what tests compare the fast ones
// with.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace medley::kernels::reference {

struct PassResult {
  std::vector<double> norm;
  std::vector<double> out;
  double smallest = 1;
};

[[nodiscard]] PassResult pass(const std::vector<std::vector<double>>& rows,
                              const std::vector<double>& weight, const std::vector<double>& e);

[[nodiscard]] std::vector<double> accumulate(const std::vector<std::vector<double>>& vectors,
                                             const std::vector<std::uint32_t>& row,
                                             const std::vector<std::uint32_t>& cell,
                                             const std::vector<double>& coefficient);

[[nodiscard]] std::vector<double> exp_digamma(const std::vector<double>& x);

}  // namespace medley::kernels::reference
