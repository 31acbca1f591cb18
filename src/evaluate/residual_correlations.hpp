// SPDX-License-Identifier: Apache-2.0
// A number beside another number, or beside an answer (1 where it was given, else 0): the observed
// correlation against that of the model, memberships integrated out. With component means mu_k,
// nu_l and variances s_k of two features,
//
//   Cov(x, y) = sum_kl (E[theta_k theta_l] - E[theta_k] E[theta_l]) mu_k nu_l
//   Var(x)    = sum_k E[theta_k] (s_k + (mu_k - E x)^2)
//
// The standard error of the observed correlation is that of its influence function,
// u v - r (u^2 + v^2) / 2 with u, v standardised: right for numbers that are not normal, too.
#pragma once

#include <cstddef>
#include <span>

#include "evaluate/feature_columns.hpp"
#include "medley/evaluate.hpp"
#include "model/model.hpp"

namespace medley::evaluation {

/// Fills the part of PairFit about numbers. Pairs with fewer than 30 rows in common, answers that
/// fewer than 10 rows give or do not give, and numbers that do not vary have no correlation to
/// speak of and are not looked at.
void number_pairs(const model::Parts& parts, const FeatureColumns& columns,
                  std::span<const double> row_weight, std::size_t top, std::size_t threads,
                  PairFit& into);

}  // namespace medley::evaluation
