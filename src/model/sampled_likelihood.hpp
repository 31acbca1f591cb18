// SPDX-License-Identifier: Apache-2.0
// The log-likelihood of rows under mixed membership where the exact one is out of reach: the mean
// of the weights of fresh draws of the components (model/row_chain.hpp), unbiased for p(x) of each
// row. Its logarithm is too low by about half the variance.
#pragma once

#include <cstddef>
#include <cstdint>

#include "medley/data.hpp"
#include "model/row_solver.hpp"

namespace medley::model {

struct SampledLikelihood {
  double log_likelihood = 0;  ///< of all rows, weighted
  double standard_error = 0;
};

/// The families have been prepared; cells must have been observed whole numbers of times. The same
/// bits at any number of threads.
[[nodiscard]] SampledLikelihood sampled_likelihood(const EStepModel& model, const Dataset& data,
                                                   std::size_t draws, std::uint64_t seed,
                                                   std::size_t threads);

}  // namespace medley::model
