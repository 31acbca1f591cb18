// SPDX-License-Identifier: Apache-2.0
// One step through the lattice of count vectors for kLanes rows at once (math/count_lattice.hpp).
// After o observations with counts n, a row's next observation belongs to component k with
// probability (alpha_k + n_k) / (alpha_0 + o), so
//
//   F_o+1[n + e_k] += u_k (alpha_k + n_k) F_o[n]        the row so far, and n
//
// with u_k = l_k / (alpha_0 + o). Every quantity is kLanes doubles, one per row.
//
// Messages along the same edges without these probabilities (model/exact_estep.hpp), before[n] in
// one layer and after[n + e_k] in the next, kLanes of them side by side:
//
//   push     after[n + e_k] += l_k before[n]
//   pull     before[n] = sum_k l_k after[n + e_k]           the transpose of push
//   flow     flow_k += sum_n before[n] after[n + e_k]       the flow through the edges of k
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

/// `u` is components x kLanes; `before` and `after` are the layers' states x kLanes; `after` must
/// begin as zero.
void lattice_forward(const LatticeStep& step, const double* u, const double* before, double* after);

/// The edges between two layers, for messages.
struct LatticeEdges {
  const std::uint32_t* next = nullptr;  ///< states x components
  std::size_t states = 0;               ///< of the earlier layer
  std::size_t components = 0;
};

/// `l` is components x kLanes, messages are states x kLanes.
void lattice_push(const LatticeEdges& edges, const double* l, const double* before, double* after);
void lattice_pull(const LatticeEdges& edges, const double* l, const double* after, double* before);
/// `flow` is components x kLanes.
void lattice_flow(const LatticeEdges& edges, const double* before, const double* after,
                  double* flow);

/// sum_i a_i b_i.
[[nodiscard]] double dot(const double* a, const double* b, std::size_t count);
/// b_i += factor a_i.
void add_scaled(double factor, const double* a, std::size_t count, double* b);

}  // namespace medley::kernels
