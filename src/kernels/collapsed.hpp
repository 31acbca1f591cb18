// SPDX-License-Identifier: Apache-2.0
// The update of collapsed variational inference, order zero (Asuncion, Welling, Smyth, Teh 2009):
// memberships and tables are integrated out, and what is left of an observation o of row i, slot r,
// simplex g are its responsibilities phi_o (K). All is in expected counts,
//
//   a_ik = sum_o w_o phi_ok      c_rk = sum_{o: slot r} w_o phi_ok      n_gk = sum_{r in g} c_rk
//   phi_ok ~ (a_ik - phi_ok + alpha_k) (c_rk - phi_ok + eta_r) / (n_gk - phi_ok + eta_g)
//
// eta_g the sum of eta_r over the simplex: each copy of an observation leaves itself out of the
// counts, and no more than there is of it. The counts follow at once, so that the next observation
// meets them. The normaliser, divided by (m_i - 1 + alpha_0), is the probability of the observation
// given all others.
//
// Responsibilities may go beyond that, by successive over-relaxation with a step of 1 to 2:
//
//   phi_o <- max(0, phi_o + step (phi*_o - phi_o)), divided by its sum,
//
// phi*_o the right-hand side above. The fixed points are the same. And a sweep may be a warm one:
// phi*_o ~ (the right-hand side)^(7/8), less decided.
//
// float throughout, but that phi may be kept in half precision (kernels/half.hpp): most of the time
// of a large sweep is fetching it. What is kept is what is counted, so that counts stay sums of
// phi. Cost: 15 K flops and K divisions per observation (20 K beyond a step of 1), no allocation.
// reference/collapsed.hpp is the plain loop that tests compare with.
#pragma once

#include <cstddef>
#include <cstdint>

#include "kernels/half.hpp"

namespace medley::kernels {

/// What is learnt, for all slots of all blocks in one numbering.
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
  float weight = 1;       ///< how many rows it stands for: its counts in the tables are times this
};

/// Some of its observations, one after the other.
struct CollapsedCells {
  const std::uint32_t* slot = nullptr;
  const float* weight = nullptr;
  float* phi = nullptr;   ///< count x padded K; 0 in the padding
  float* room = nullptr;  ///< count + padded K: working memory
  std::size_t count = 0;
  Half* half_phi = nullptr;  ///< in the place of phi, if given
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

/// The same with tables that stay as they are: table is slots x padded K probabilities beta_rk,
/// phi_ok ~ (a_ik - phi_ok + alpha_k) beta_rk.
CollapsedChange update_collapsed(const CollapsedCells& cells, const CollapsedRow& row,
                                 const float* table, std::size_t padded);

}  // namespace medley::kernels
