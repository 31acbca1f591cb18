// SPDX-License-Identifier: Apache-2.0
// What is known of every row's membership beyond its expectation: the posterior of each share,
// theta_k | x, in a few numbers. Under mixed membership it is a mixture of Beta distributions where
// the counts of a row can be enumerated quickly (model/exact_rows.hpp), and else a weighted sample
// (evaluate/importance.hpp). Under single membership a share is 0 or 1: r_k is its mean, r_k (1 -
// r_k) its variance, and a quantile says nothing.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "medley/data.hpp"
#include "medley/evaluate.hpp"
#include "model/model_on_data.hpp"

namespace medley::evaluation {

struct MembershipPosteriors {
  Estimator estimator = Estimator::exact;     ///< or importance
  std::vector<double> mean, variance;         ///< rows x K
  std::vector<std::vector<double>> quantile;  ///< per probability asked for: rows x K
  double effective_draws = 0;                 ///< importance: of the row with the fewest
};

/// Draws per row where there is no exact posterior: a quantile of 5 % is then met within 1 %.
inline constexpr std::size_t kPosteriorDraws = 2000;

/// A row with nothing observed gets the prior. `seed` keys the draws, together with the place of
/// the row's first like in the data.
[[nodiscard]] MembershipPosteriors membership_posteriors(const model::ModelOnData& model,
                                                         const Dataset& data,
                                                         std::span<const double> probabilities,
                                                         std::size_t threads,
                                                         std::uint64_t seed = 1);

}  // namespace medley::evaluation
