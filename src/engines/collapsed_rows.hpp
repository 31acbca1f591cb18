// SPDX-License-Identifier: Apache-2.0
// Rows of a minibatch by collapsed inference with the tables held (Foulds, Boyles, DuBois, Smyth,
// Welling 2013): every row by itself repeats, cell after cell,
//
//   phi_ok ~ (a_ik - phi_ok + alpha_k) beta_rk,      a_ik = sum_o w_o phi_ok
//
// from phi = 1/K until a sweep moves little. They average a row's counts over single words with a
// step size of its own; a row that is in memory as a whole can as well go to the fixed point.
#pragma once

#include "engines/engine.hpp"
#include "memberships/membership.hpp"

namespace medley::engines {

/// The statistics of the rows, those of the prior being the sums for alpha; in the place of the
/// bound the leave-one-out log-likelihood of the cells, sum_o w_o log p(o | the row's other cells).
void collapsed_rows(const EmData& data, const memberships::Limits& limits, EmModel& model,
                    Statistics& into);

}  // namespace medley::engines
