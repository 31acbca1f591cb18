// SPDX-License-Identifier: Apache-2.0
// One step through the lattice of count vectors for kLanes rows at once (math/count_lattice.hpp).
// With o observations behind it and counts n, a row's next observation belongs to component k with
// probability (alpha_k + n_k) / (alpha_0 + o), so
//
//   F_o+1[n + e_k] += u_k (alpha_k + n_k) F_o[n]        the row so far, and n
//
// with u_k = l_k / (alpha_0 + o). Every quantity is kLanes doubles, one per row.
#pragma once

#include <cstddef>
#include <cstdint>

namespace medley::kernels {

/// The edges between two layers.
struct LatticeStep {
  const std::uint32_t* next = nullptr;    ///< states x components
  const std::uint16_t* counts = nullptr;  ///< states x components
  std::size_t states = 0;                 ///< of the earlier layer
  std::size_t components = 0;
  const double* alpha = nullptr;  ///< components
};

/// `u` is components x kLanes; `before` and `after` are the layers' states x kLanes, `after` zero
/// where it begins.
void lattice_forward(const LatticeStep& step, const double* u, const double* before, double* after);

}  // namespace medley::kernels
