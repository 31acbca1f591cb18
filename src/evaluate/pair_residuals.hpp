// SPDX-License-Identifier: Apache-2.0
// Two features with levels at a time: the observed two-way table against
//
//   E_rs = N sum_kl E[theta_k theta_l] p_kr q_ls        memberships integrated out
//
// X^2 = sum (O - E)^2 / E over the cells; cells that expect less than 5 rows are taken
// together, if need be with the next larger. The residual is X^2 / ((R - 1)(S - 1)), or
// over the cells left less one where that is smaller. Whether it is beyond chance is judged with as
// many degrees of freedom as there are cells left less one, which is right for rows the model has
// not seen and cautious for those it was fitted to.
#pragma once

#include <cstddef>
#include <span>

#include "evaluate/feature_columns.hpp"
#include "medley/evaluate.hpp"
#include "model/model.hpp"

namespace medley::evaluation {

/// Fills the part of PairFit about levels; `row_weight` is empty where every row counts once.
void level_pairs(const model::Parts& parts, const FeatureColumns& columns,
                 std::span<const double> row_weight, std::size_t top, std::size_t threads,
                 PairFit& into);

}  // namespace medley::evaluation
