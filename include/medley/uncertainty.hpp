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

/// A number with how sure it is. Standard error and interval are NaN where the rows cannot tell.
struct IntervalEstimate {
  double value = 0;
  double standard_error = 0;
  double low = 0, high = 0;
};

struct GroupOptions {
  std::string by = {};                    ///< a kept column: its values are the groups
  std::string strata = {}, cluster = {};  ///< kept columns of the survey's design; empty: none
  double level = 0.95;
  std::size_t threads = 0;
};

/// The mean memberships of some rows.
struct GroupMean {
  std::string group;  ///< a value of the column; empty for all rows together
  std::size_t rows = 0;
  double weight = 0;                         ///< sum of the row weights
  std::vector<IntervalEstimate> mean;        ///< per component
  std::vector<double> posterior_error;       ///< per component: the part of the standard error that
                                             ///< comes from not knowing the rows' memberships
  std::vector<IntervalEstimate> difference;  ///< to the mean of all other rows; empty if none
};

struct GroupMeans {
  std::string by;
  double level = 0;
  GroupMean all;                                         ///< every row with a group
  std::vector<GroupMean> groups;                         ///< in the order of the column's values
  std::size_t missing_rows = 0;                          ///< left out: no value in the column
  std::size_t empty_rows = 0;                            ///< left out: nothing observed
  std::size_t strata = 0, units = 0, lonely_strata = 0;  ///< of the design; lonely: a single unit
  /// Per component: the share of the memberships' variance that the cells of the rows reveal. The
  /// rest is pulled towards the mean of all rows, so differences between groups are shown about
  /// this much of their size.
  std::vector<double> reliability;
  Estimator estimator = Estimator::exact;  ///< of the posterior memberships
};

/// The weighted mean of the rows' posterior memberships in each group, with the linearised variance
/// of a weighted mean under the design plus the posterior variance of the rows. Means have their
/// interval on the logit scale, so it stays within (0, 1); both use Student's distribution with
/// units - strata degrees of freedom. Given the model: its own uncertainty is what `bootstrap` is
/// for. Throws InputError if a column is not there.
[[nodiscard]] GroupMeans group_means(const Model& model, const Dataset& data,
                                     const GroupOptions& options);
/// The means for people.
[[nodiscard]] std::string describe(const GroupMeans& means, const Model& model);

}  // namespace medley
