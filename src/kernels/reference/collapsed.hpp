// SPDX-License-Identifier: Apache-2.0
// The update of collapsed inference as a plain loop in double.
#pragma once

#include <vector>

namespace medley::kernels::reference {

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

}  // namespace medley::kernels::reference
