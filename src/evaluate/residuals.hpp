// SPDX-License-Identifier: Apache-2.0
// Pairs of features: what the model leaves unexplained between two answers, or between a number and
// another column.
#pragma once

#include <cstddef>
#include <span>

#include "evaluate/feature_columns.hpp"
#include "medley/evaluate.hpp"
#include "model/model.hpp"

namespace medley::evaluation {

// Two features with levels at a time: the observed two-way table against
//
//   E_rs = N sum_kl E[theta_k theta_l] p_kr q_ls        memberships integrated out
//
// X^2 = sum (O - E)^2 / E over the cells; cells that expect less than 5 rows are taken
// together, if need be with the next larger. The residual is X^2 / ((R - 1)(S - 1)), or
// over the cells left less one where that is smaller. Whether it is beyond chance is judged with as
// many degrees of freedom as there are cells left less one, which is right for rows the model has
// not seen and cautious for those it was fitted to.

/// Fills the part of PairFit about levels; `row_weight` is empty where every row counts once.
void level_pairs(const model::Parts& parts, const FeatureColumns& columns,
                 std::span<const double> row_weight, std::size_t top, std::size_t threads,
                 PairFit& into);

// A number beside another number, or beside an answer (1 where it was given, else 0): the observed
// correlation against that of the model, memberships integrated out. With component means mu_k,
// nu_l and variances s_k of two features,
//
//   Cov(x, y) = sum_kl (E[theta_k theta_l] - E[theta_k] E[theta_l]) mu_k nu_l
//   Var(x)    = sum_k E[theta_k] (s_k + (mu_k - E x)^2)
//
// The standard error of the observed correlation is that of its influence function,
// u v - r (u^2 + v^2) / 2 with u, v standardised: right for numbers that are not normal, too.

/// Fills the part of PairFit about numbers. Pairs with fewer than 30 rows in common, answers that
/// fewer than 10 rows give or do not give, and numbers that do not vary have no correlation to
/// speak of and are not looked at.
void number_pairs(const model::Parts& parts, const FeatureColumns& columns,
                  std::span<const double> row_weight, std::size_t top, std::size_t threads,
                  PairFit& into);

}  // namespace medley::evaluation
