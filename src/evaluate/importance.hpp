// SPDX-License-Identifier: Apache-2.0
// The log-likelihood of a row under a Dirichlet membership by importance sampling: memberships are
// drawn from a mixture of the prior and of ever wider versions of the row's variational posterior
// gamma, which is too sure of itself:
//
//   q(theta) = 0.1 Dir(theta | alpha) + 0.225 sum_c Dir(theta | alpha + c (gamma - alpha)),
//   c = 1, 1/2, 1/4, 1/8
//   p(x) ~ mean of p(x | theta) Dir(theta | alpha) / q(theta),   p(x | theta) = prod_o (theta .
//   l_o)^w_o
//
// The mean is unbiased for p(x); its logarithm is too low by half the variance. The prior's share
// keeps the weights bounded.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "core/rng.hpp"
#include "families/family.hpp"
#include "medley/data.hpp"

namespace medley::evaluation {

// One row as the estimators of its likelihood see it: a likelihood row per observation.

struct RowObservations {
  std::size_t components = 0, padded = 0;
  std::vector<double> rows;    ///< count x padded K, each scaled so that its largest entry is 1
  std::vector<double> weight;  ///< count
  double log_scale = 0;        ///< sum_o w_o log(scale of observation o)
  double total = 0;            ///< sum of the weights

  [[nodiscard]] std::size_t count() const { return weight.size(); }
  [[nodiscard]] const double* row(std::size_t o) const { return rows.data() + o * padded; }
  /// Replaces the content by a row of the data. The families have been prepared.
  void gather(std::span<const families::Family* const> families, const Dataset& data,
              std::size_t row);
};

/// The log-likelihood of one row, estimated.
struct RowEstimate {
  double log_likelihood = 0;
  double standard_error = 0;     ///< of log_likelihood; 0 where it is no estimate
  double effective_samples = 0;  ///< how many equally weighted draws the estimate is worth
};

/// Memberships drawn from q, with their weights p(x | theta) Dir(theta | alpha) / q(theta). Draws
/// weighted by these are draws from the row's posterior.
struct WeightedDraws {
  std::vector<double> theta;       ///< samples x K
  std::vector<double> log_weight;  ///< samples
};
[[nodiscard]] WeightedDraws draw_memberships(const RowObservations& row,
                                             std::span<const double> alpha,
                                             std::span<const double> gamma, std::size_t samples,
                                             core::Rng rng);

[[nodiscard]] RowEstimate importance(const RowObservations& row, std::span<const double> alpha,
                                     std::span<const double> gamma, std::size_t samples,
                                     core::Rng rng);

}  // namespace medley::evaluation
