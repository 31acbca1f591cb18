// SPDX-License-Identifier: Apache-2.0
// How sure the numbers are: intervals for a row's memberships, for the mean memberships of groups,
// and for everything that a fit estimates.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "medley/dataset.hpp"
#include "medley/evaluate.hpp"
#include "medley/model.hpp"
#include "medley/options.hpp"

namespace medley {

/// Where each share of each row lies with probability `level`, given the row's cells and the
/// model's parameters: the central interval of its posterior.
struct MembershipIntervals {
  std::size_t components = 0;
  double level = 0;
  Estimator estimator = Estimator::exact;  ///< exact where that is quick, else importance
  double effective_draws = 0;  ///< importance: draws of equal weight that the worst row's are worth
  std::vector<double> low, high;  ///< rows x K, row-major
};

/// A row with nothing observed gets the prior's. Throws InputError for single membership: there a
/// row belongs to one component, and its shares are probabilities. `seed` keys the draws.
[[nodiscard]] MembershipIntervals membership_intervals(const Model& model, const Dataset& data,
                                                       double level, std::size_t threads = 0,
                                                       std::uint64_t seed = 1);

}  // namespace medley
