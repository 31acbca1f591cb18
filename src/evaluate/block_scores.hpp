// SPDX-License-Identifier: Apache-2.0
// Scores summed over rows, of a whole file and of each of its blocks.
#pragma once

#include <span>
#include <vector>

#include "evaluate/estimators.hpp"
#include "medley/evaluate.hpp"

namespace medley::evaluation {

/// What rows gained over the baseline.
struct Gain {
  double per_observation = 0;  ///< A = sum_i w_i g_i / sum_i w_i m_i, nats
  double error = 0;            ///< standard error of A: a ratio of two sums over independent rows
};

/// g_i = `gain`, m_i = `observations`, w_i = `weight`, per row. Rows with nothing observed say
/// nothing of the error.
[[nodiscard]] Gain gain_per_observation(std::span<const double> gain,
                                        std::span<const double> observations,
                                        std::span<const double> weight);

/// log-probability of every row's cells in block b under the columns' marginals; rows long. The
/// marginals have been prepared.
[[nodiscard]] std::vector<double> baseline_of_block(const model::Parts& parts, const Dataset& data,
                                                    std::size_t b);

/// The score of each block. Under completion the estimates have it; else every block is scored with
/// the others hidden, by the same estimator.
[[nodiscard]] std::vector<BlockScore> block_scores(const model::ModelOnData& model,
                                                   const Dataset& data, const Estimates& estimates,
                                                   Estimator estimator,
                                                   const EvaluateOptions& options);

}  // namespace medley::evaluation
