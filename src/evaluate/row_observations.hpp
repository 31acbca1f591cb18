// SPDX-License-Identifier: Apache-2.0
// One row as the estimators of its likelihood see it: a likelihood row per observation.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "families/family.hpp"
#include "medley/data.hpp"

namespace medley::evaluation {

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

}  // namespace medley::evaluation
