// SPDX-License-Identifier: Apache-2.0
// How sure the results are: intervals, groups, bootstrap, diagnosis of fits and chains, tests of
// the samplers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "medley/data.hpp"
#include "medley/error.hpp"
#include "medley/evaluate.hpp"
#include "medley/model.hpp"
#include "medley/options.hpp"

namespace medley {

// How sure the numbers are: intervals for a row's memberships, for the mean memberships of groups,
// and for everything that a fit estimates.

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

// What is wrong with a fit, or with the chains of a sampled model, and what to do about it.
//
// Chains are judged by numbers that do not depend on how components are called (the log-likelihood,
// the probabilities of some cells, the sum of alpha, the number of clusters), by the
// rank-normalised split R-hat and effective sample sizes of Vehtari et al. (2021): they have mixed
// if every R-hat is below 1.05 and every effective sample size at least 400. Parameters, whose
// components were brought into one order, are listed too, but do not decide.

/// One number that was followed through the chains. Not a number where it never changed.
struct ChainQuantity {
  std::string name;
  double mean = 0, sd = 0;
  double low = 0, high = 0;  ///< 5 % and 95 % of the draws
  double rhat = 0;
  double ess_bulk = 0, ess_tail = 0;  ///< effective draws, for the centre and for the tails
  double mcse = 0;                    ///< standard error of the mean
  bool about_row = false;             ///< a number of a single row: no aggregate
};

/// A sentence about a fit.
struct Finding {
  std::string text;
  bool about_chains = false;
  bool about_row = false;  ///< it names a single row, or a cell of it
};

/// A deviance information criterion: smaller is better. Comparable only with one of the same focus.
struct InformationCriterion {
  double mean_deviance = 0, plug_in = 0;
  [[nodiscard]] double effective() const { return mean_deviance - plug_in; }  ///< parameters
  [[nodiscard]] double dic() const { return mean_deviance + effective(); }
  double error = 0;  ///< Monte-Carlo standard error of the mean deviance
};

struct Diagnosis {
  // Of a sampled model:
  std::size_t chains = 0, burn_in = 0, sweeps = 0, draws = 0;  ///< draws: kept, of all chains
  std::vector<ChainQuantity> quantity;   ///< the same whatever components are called
  std::vector<ChainQuantity> parameter;  ///< of aligned components; the largest R-hat first
  bool mixed = false;
  std::size_t sweeps_needed = 0;  ///< if they have not: a guess at how many would do
  std::optional<InformationCriterion> conditional = {};  ///< memberships count as parameters
  std::optional<InformationCriterion> marginal = {};     ///< memberships integrated out; needs data
  std::map<std::size_t, double> clusters = {};  ///< infinite membership: posterior of their number
  // Of any model:
  std::size_t restarts = 0, same_optimum = 0;  ///< starts, and those that ended as high as the best
  std::size_t small_profiles = 0;              ///< hold less than 0.5 % of all memberships
  bool sound = true;                           ///< nothing below is to worry about
  std::vector<Finding> finding;                ///< what was found
  std::vector<Finding> suggestion;             ///< what to do
};

/// The kept draws of one chain (from 0) as the CSV file of CmdStan, which ArviZ, posterior and
/// their like read: a comment, a header, a line per draw. lp__ is the log-likelihood (of an
/// infinite membership: of labels and data together), then what was traced, then the parameters,
/// name.component or name.component.level, all from 1 (characters that have a meaning there become
/// _). Draws that differ in their components have no columns of parameters. InputError if the model
/// is not sampled.
[[nodiscard]] std::string draws_csv(const Model& model, std::size_t chain);
/// Of a sampled model, else 0.
[[nodiscard]] std::size_t chains_of(const Model& model);

inline constexpr double kMixedRhat = 1.05, kMixedDraws = 400;

/// From what the model file holds.
[[nodiscard]] Diagnosis diagnose(const Model& model);
/// With the rows it was learnt from, the marginal criterion too.
[[nodiscard]] Diagnosis diagnose(const Model& model, const Dataset& data, std::size_t threads = 0,
                                 const Hooks& hooks = {});

// Whether the samplers are right, tried on the user's own model and table: rows, columns, levels
// and missing cells as they are, answers drawn anew from the model with its priors.
//
//   geweke   parameters from their priors and data given them have a distribution that does not
//            change when data given parameters and parameters given data (the sampler) are drawn by
//            turns: means of many numbers are compared (Geweke 2004, "Getting it right: joint
//            distribution tests of posterior simulators")
//   sbc      parameters from their priors, data given them, a fit: among the fit's draws the truth
//            has every rank equally often (Talts, Betancourt, Simpson, Vehtari and Gelman 2018,
//            "Validating Bayesian inference algorithms with simulation-based calibration")
//
// A right sampler fails once in a hundred seeds (Bonferroni over the numbers that are compared).

enum class SelfTestKind { geweke, sbc };

struct SelfTestOptions {
  SelfTestKind kind = SelfTestKind::geweke;
  std::size_t rows = 20;  ///< drawn from the data; all if it has fewer
  /// geweke: chains, at least 20; sbc: fits, at least 80. 0: 100, and 200.
  std::size_t replicates = 0;
};

/// One number, the same whatever components are called.
struct SelfTestRow {
  std::string name;
  /// geweke: its mean from the priors, and by turns. sbc: the mean rank as a share, which ought to
  /// be 0.5, and what it was.
  double expected = 0, found = 0;
  double error = 0;      ///< standard error of their difference
  double statistic = 0;  ///< geweke: the difference in standard errors; sbc: chi-square of ranks
  double p = 1;          ///< how often a right sampler differs as much
  bool passed = true;
};

struct SelfTest {
  SelfTestKind kind = SelfTestKind::geweke;
  std::string model;  ///< the preset
  std::size_t rows = 0, cells = 0, replicates = 0;
  double least_p = 0;  ///< below it a row fails: 1 % for all of them together
  std::vector<SelfTestRow> row = {};
  std::size_t slow = 0;  ///< sbc: fits whose draws still depended on each other
  bool passed = false;
  bool interrupted = false;                ///< by the hooks; then nothing was compared
  std::vector<std::string> sentence = {};  ///< what came out
};

/// `fitting`: the model with its priors, as for fit(); of the data only its shape matters, and the
/// priors of numbers that are taken from their columns. Same seed, same bits, at any number of
/// threads. InputError if the model is not sampled.
[[nodiscard]] SelfTest selftest(const Dataset& data, const FitOptions& fitting,
                                const SelfTestOptions& options, const Hooks& hooks = {});

/// What was compared, as a table, and what came out, in sentences.
[[nodiscard]] std::string describe(const SelfTest& test);

}  // namespace medley
