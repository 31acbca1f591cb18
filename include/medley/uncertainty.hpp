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

/// A share below this is as good as none: an interval that begins there begins at 0, and one that
/// ends as near to 1 ends at 1. Where alpha is small the quantiles themselves are numbers such as
/// 1e-20, and whether the true share is above or below one of those means nothing.
inline constexpr double kNoShare = 1e-4;

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
                                                       std::uint64_t seed = 1,
                                                       const Hooks& hooks = {});

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
  std::string by;          ///< the column
  std::string title = {};  ///< what it is called for people; empty: its name
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
  Weighting weights = {};                  ///< of the rows given
  std::size_t rows = 0;                    ///< so many were given
};

/// The weighted mean of the rows' posterior memberships in each group, with the linearised variance
/// of a weighted mean under the design plus the posterior variance of the rows. Means have their
/// interval on the logit scale, so it stays within (0, 1); both use Student's distribution with
/// units - strata degrees of freedom. Given the model: its own uncertainty is what `bootstrap` is
/// for. Throws InputError if a column is not there.
[[nodiscard]] GroupMeans group_means(const Model& model, const Dataset& data,
                                     const GroupOptions& options, const Hooks& hooks = {});
/// The same for several columns, one after another, all with these options but for `by`; what is
/// known of the rows' memberships is found once.
[[nodiscard]] std::vector<GroupMeans> group_means(const Model& model, const Dataset& data,
                                                  const GroupOptions& options,
                                                  const std::vector<std::string>& columns,
                                                  const Hooks& hooks = {});
/// The means for people.
[[nodiscard]] std::string describe(const GroupMeans& means, const Model& model);

struct BootstrapOptions {
  std::size_t replicates = 200;           ///< refits
  double level = 0.95;                    ///< of the intervals
  std::string strata = {}, cluster = {};  ///< kept columns of the survey's design; empty: none
  std::vector<std::string> by = {};       ///< kept columns whose groups get mean memberships
  std::uint64_t seed = 1;
  std::size_t threads = 0;
};

/// Something that a fit estimates.
struct BootstrapEstimate {
  enum class Quantity { size, prior, probability, mean, sd, group };
  std::size_t component = 0;  ///< from 0
  Quantity quantity = Quantity::size;
  std::string block = {};    ///< of the feature
  std::string feature = {};  ///< column or source; of a group: its column
  std::string level = {};    ///< level, word or group; empty for size, prior and numbers
  IntervalEstimate estimate = {};
};
/// "size", the name of the prior ("alpha", "pi"), "probability", "mean", "sd" or "group".
[[nodiscard]] std::string name_of(BootstrapEstimate::Quantity quantity, const Model& model);

struct Bootstrap {
  double level = 0;
  std::size_t replicates = 0;                     ///< refits that the intervals come from
  std::vector<BootstrapEstimate> estimates = {};  ///< component by component
  Weighting weights = {};                         ///< of the rows given
  std::size_t not_converged = 0;  ///< refits that reached the iteration limit; used all the same
  /// Refits in which some component is nearer to another than to its partner; used all the same.
  std::size_t ambiguous = 0;
  /// How far the model's own rows, fitted on as closely as the refits, move it: the largest change
  /// of a parameter in its standard errors. Near 0 for a fit that was taken to its end.
  double drift = 0;
  std::size_t strata = 0, units = 0, lonely_strata = 0;  ///< of the design; 0 units: none given
  std::size_t model_rows = 0, rows = 0;  ///< rows the model was fitted to, and rows given
  bool interrupted = false;              ///< stopped by the hooks: there are no estimates
};  // namespace medley

/// Draws rows (whole units within strata, with the weights of Rao and Wu, where a design is given)
/// again and again, fits each draw on from the model's parameters with its own options, matches the
/// components to the model's, and takes percentiles. The rows should be those that the model was
/// fitted to. Progress: one step per refit. Throws InputError if a column is not there or nothing
/// can be drawn.
[[nodiscard]] Bootstrap bootstrap(const Model& model, const Dataset& data,
                                  const BootstrapOptions& options, const Hooks& hooks = {});
/// The profiles with intervals for what distinguishes them.
[[nodiscard]] std::string describe(const Bootstrap& bootstrap, const Model& model);

}  // namespace medley
