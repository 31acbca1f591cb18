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

// The update of collapsed inference as a plain loop in double.

/// An observation with the expected counts that it meets, all K numbers.
struct CollapsedObservation {
  std::vector<double> phi;
  std::vector<double> row;          ///< a_k + alpha_k
  std::vector<double> slot, total;  ///< c_k + eta_r, n_k + eta_g
  double weight = 1;                ///< how often it was observed
  double row_weight = 1;            ///< how many rows its row stands for
  double step = 1;                  ///< 1: to phi*, more: beyond
  double power = 1;                 ///< of phi*; 7/8: warm
};

/// Renews phi and moves the counts along; returns the normaliser.
double update_collapsed(CollapsedObservation& o);

// The sum of table rows as a plain loop in double.

/// sum_o weight[o] * table[slot[o]], K numbers; `weight` empty: 1 everywhere.
[[nodiscard]] std::vector<double> add_rows(const std::vector<std::vector<double>>& table,
                                           const std::vector<std::uint32_t>& slot,
                                           const std::vector<float>& weight);

}  // namespace medley::kernels::reference
