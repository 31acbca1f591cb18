// SPDX-License-Identifier: Apache-2.0
// The update of collapsed variational inference, order zero (Asuncion, Welling, Smyth, Teh 2009).
// Memberships and tables are integrated out; each observation o of row i, slot r, simplex g has
// only its responsibilities phi_o (K). All quantities are expected counts,
//
//   a_ik = sum_o w_o phi_ok      c_rk = sum_{o: slot r} w_o phi_ok      n_gk = sum_{r in g} c_rk
//   phi_ok ~ (a_ik - phi_ok + alpha_k) (c_rk - phi_ok + eta_r) / (n_gk - phi_ok + eta_g)
//
// with eta_g the sum of eta_r over the simplex. Each copy of an observation is left out of the
// counts, with its own weight only. The counts change at once, so that the next observation sees
// them. The normaliser, divided by (m_i - 1 + alpha_0), is the probability of the observation given
// all others.
//
// Successive over-relaxation, with a step of 1 to 2, can move responsibilities further:
//
//   phi_o <- max(0, phi_o + step (phi*_o - phi_o)), divided by its sum,
//
// with phi*_o the right-hand side above. The fixed points are the same. A warm sweep tempers the
// update: phi*_o ~ (the right-hand side)^(7/8).
//
// All in float, except that phi may be stored in half precision (kernels/half.hpp), because
// fetching phi takes most of the time of a large sweep. The counts use the stored phi, so that they
// stay sums of phi. Cost: 15 K flops and K divisions per observation (20 K for a step above 1), no
// allocation. tests/kernels/reference.hpp has the plain loop that tests compare with.
#pragma once

#include <cstddef>
#include <cstdint>

#include "kernels/half.hpp"

namespace medley::kernels {

/// The counts and priors of all slots of all blocks, numbered consecutively.
struct CollapsedTables {
  float* count = nullptr;                  ///< slots x padded K: c_rk
  const float* prior = nullptr;            ///< slots: eta_r
  const std::uint32_t* simplex = nullptr;  ///< slots: g
  float* const* total = nullptr;  ///< simplexes: n_gk + eta_g, padded K; infinity in the padding
  std::size_t padded = 0;
};

/// The row whose observations are updated.
struct CollapsedRow {
  float* held = nullptr;  ///< a_ik + alpha_k, padded K
  float size = 0;         ///< m_i + alpha_0
  float weight = 1;       ///< number of rows it stands for: factor of its counts in the tables
};

/// Some of the row's observations; they are updated one after the other.
struct CollapsedCells {
  const std::uint32_t* slot = nullptr;
  const float* weight = nullptr;
  float* phi = nullptr;   ///< count x padded K; 0 in the padding
  float* room = nullptr;  ///< count + padded K: working memory
  std::size_t count = 0;
  Half* half_phi = nullptr;  ///< replaces phi, if given
  float step = 1;            ///< at least 1, below 2
  bool warm = false;
};

struct CollapsedChange {
  double moved = 0;    ///< sum_o w_o sum_k |change of phi_ok|
  double log_sum = 0;  ///< sum_o w_o log p(o | all others)
};

/// Updates the observations in turn.
CollapsedChange update_collapsed(const CollapsedCells& cells, const CollapsedRow& row,
                                 const CollapsedTables& tables);

/// The same with fixed tables: table is slots x padded K probabilities beta_rk,
/// phi_ok ~ (a_ik - phi_ok + alpha_k) beta_rk.
CollapsedChange update_collapsed(const CollapsedCells& cells, const CollapsedRow& row,
                                 const float* table, std::size_t padded);

}  // namespace medley::kernels
