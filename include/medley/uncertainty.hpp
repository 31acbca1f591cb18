// SPDX-License-Identifier: Apache-2.0
// Uncertainty: intervals, groups, bootstrap, diagnosis of fits and chains, tests of the samplers.
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

// Uncertainty of a row's memberships, of the mean memberships of groups, and of every quantity that
// a fit estimates.

/// A smaller share counts as 0: an interval that begins below it begins at 0, and one that ends as
/// near to 1 ends at 1. Where alpha is small, the quantiles themselves are numbers such as 1e-20,
/// and it is meaningless whether the true share is above or below such a number.
inline constexpr double kNoShare = 1e-4;

/// The central interval of each share's posterior, given the row's cells and the model's
/// parameters: it holds the share with probability `level`.
struct MembershipIntervals {
  std::size_t components = 0;
  double level = 0;
  Estimator estimator = Estimator::exact;  ///< exact where that is quick, else importance
  double effective_draws = 0;  ///< importance: equal-weight draws of the same precision, worst row
  std::vector<double> low, high;  ///< rows x K, row-major
};

/// A row with nothing observed gets the prior's interval. Throws InputError for single membership,
/// where a row belongs to one component and its shares are probabilities. `seed` keys the draws.
[[nodiscard]] MembershipIntervals membership_intervals(const Model& model, const Dataset& data,
                                                       double level, std::size_t threads = 0,
                                                       std::uint64_t seed = 1,
                                                       const Hooks& hooks = {});

/// A number with its uncertainty. Standard error and interval are NaN if the rows cannot show them.
struct IntervalEstimate {
  double value = 0;
  double standard_error = 0;
  double low = 0, high = 0;
};

/// The groups, and the design of the survey.
struct GroupOptions {
  std::string by = {};                    ///< a kept column; each of its values is a group
  std::string strata = {}, cluster = {};  ///< kept columns of the survey's design; empty: none
  double level = 0.95;
  std::size_t threads = 0;
};

/// The mean memberships of one group of rows.
struct GroupMean {
  std::string group;  ///< a value of the column; empty for all rows together
  std::size_t rows = 0;
  double weight = 0;                         ///< sum of the row weights
  std::vector<IntervalEstimate> mean;        ///< per component
  std::vector<double> posterior_error;       ///< per component: the part of the standard error from
                                             ///< the uncertainty of the rows' memberships
  std::vector<IntervalEstimate> difference;  ///< to the mean of all other rows; empty if none
};

/// The mean memberships of all groups.
struct GroupMeans {
  std::string by;          ///< the column
  std::string title = {};  ///< name of the column for reports; empty: `by`
  double level = 0;
  GroupMean all;                                         ///< every row with a group
  std::vector<GroupMean> groups;                         ///< in the order of the column's values
  std::size_t missing_rows = 0;                          ///< left out: no value in the column
  std::size_t empty_rows = 0;                            ///< left out: nothing observed
  std::size_t strata = 0, units = 0, lonely_strata = 0;  ///< of the design; lonely: a single unit
  /// Per component: the share of the memberships' variance that the cells of the rows reveal. The
  /// rest is pulled towards the mean of all rows, so differences between groups appear at about
  /// this fraction of their size.
  std::vector<double> reliability;
  Estimator estimator = Estimator::exact;  ///< of the posterior memberships
  Weighting weights = {};                  ///< of the given rows
  std::size_t rows = 0;                    ///< number of given rows
};

/// The weighted mean of the rows' posterior memberships in each group. Its variance is the
/// linearised variance of a weighted mean under the design plus the posterior variance of the rows.
/// The intervals of means are on the logit scale, so they stay within (0, 1); all use Student's
/// distribution with units - strata degrees of freedom. The model is taken as known; `bootstrap`
/// adds its uncertainty. Throws InputError if a column does not exist.
[[nodiscard]] GroupMeans group_means(const Model& model, const Dataset& data,
                                     const GroupOptions& options, const Hooks& hooks = {});
/// The same for several columns, which replace `by`; the posterior memberships of the rows are
/// computed once.
[[nodiscard]] std::vector<GroupMeans> group_means(const Model& model, const Dataset& data,
                                                  const GroupOptions& options,
                                                  const std::vector<std::string>& columns,
                                                  const Hooks& hooks = {});
/// The means as text.
[[nodiscard]] std::string describe(const GroupMeans& means, const Model& model);

/// How many refits, and of which rows.
struct BootstrapOptions {
  std::size_t replicates = 200;           ///< refits
  double level = 0.95;                    ///< of the intervals
  std::string strata = {}, cluster = {};  ///< kept columns of the survey's design; empty: none
  std::vector<std::string> by = {};       ///< kept columns whose groups get mean memberships
  std::uint64_t seed = 1;
  std::size_t threads = 0;
};

/// A quantity that a fit estimates, with its interval.
struct BootstrapEstimate {
  enum class Quantity { size, prior, probability, mean, sd, group };
  std::size_t component = 0;  ///< from 0
  Quantity quantity = Quantity::size;
  std::string block = {};    ///< of the feature
  std::string feature = {};  ///< column or source; for a group: the column of the group
  std::string level = {};    ///< level, word or group; empty for size, prior and numbers
  IntervalEstimate estimate = {};
};
/// "size", the name of the prior ("alpha", "pi"), "probability", "mean", "sd" or "group".
[[nodiscard]] std::string name_of(BootstrapEstimate::Quantity quantity, const Model& model);

/// The intervals of everything that a fit estimates.
struct Bootstrap {
  double level = 0;
  std::size_t replicates = 0;                     ///< refits used for the intervals
  std::vector<BootstrapEstimate> estimates = {};  ///< component by component
  Weighting weights = {};                         ///< of the given rows
  std::size_t not_converged = 0;  ///< refits that reached the iteration limit; used all the same
  /// Refits in which some component is nearer to another than to its partner; used all the same.
  std::size_t ambiguous = 0;
  /// How far the model itself moves when it is fitted to its own rows as long as the refits: the
  /// largest change of a parameter, in its standard errors. Near 0 for a fully converged fit.
  double drift = 0;
  std::size_t strata = 0, units = 0, lonely_strata = 0;  ///< of the design; 0 units: no design
  std::size_t model_rows = 0, rows = 0;  ///< rows that the model was fitted to, and given rows
  bool interrupted = false;              ///< stopped by the hooks: there are no estimates
};

/// Draws rows with replacement (with a design: whole units within strata, with the weights of Rao
/// and Wu), refits each sample from the model's parameters with its own options, matches the
/// components to the model's, and takes percentiles. Pass the rows that the model was fitted to.
/// Progress: one step per refit. Throws InputError if a column does not exist or nothing can be
/// drawn.
[[nodiscard]] Bootstrap bootstrap(const Model& model, const Dataset& data,
                                  const BootstrapOptions& options, const Hooks& hooks = {});
/// The profiles, with intervals for what distinguishes them, as text.
[[nodiscard]] std::string describe(const Bootstrap& bootstrap, const Model& model);

// Diagnosis: the problems of a fit, or of the chains of a sampled model, and what to do about them.
//
// Chains are judged by quantities that do not depend on the labels of components (the
// log-likelihood, the probabilities of some cells, the sum of alpha, the number of clusters), with
// the rank-normalised split R-hat and effective sample sizes of Vehtari et al. (2021). The chains
// have mixed if every R-hat is below 1.05 and every effective sample size at least 400. Parameters,
// after bringing the components into one order, are listed too, but do not decide.

/// One quantity that was recorded along the chains. Its diagnostics are NaN if it
/// never changed.
struct ChainQuantity {
  std::string name;
  double mean = 0, sd = 0;
  double low = 0, high = 0;  ///< 5 % and 95 % of the draws
  double rhat = 0;
  double ess_bulk = 0, ess_tail = 0;  ///< effective draws, for the centre and for the tails
  double mcse = 0;                    ///< standard error of the mean
  bool about_row = false;             ///< a quantity of a single row, not an aggregate
};

/// A sentence about a fit.
struct Finding {
  std::string text;
  bool about_chains = false;
  bool about_row = false;  ///< it names a single row, or a cell of it
};

/// A deviance information criterion; smaller is better. Compare it only with one of the same focus.
struct InformationCriterion {
  double mean_deviance = 0, plug_in = 0;
  /// The effective number of parameters.
  [[nodiscard]] double effective() const { return mean_deviance - plug_in; }
  [[nodiscard]] double dic() const { return mean_deviance + effective(); }
  double error = 0;  ///< Monte-Carlo standard error of the mean deviance
};

/// The result of a diagnosis.
struct Diagnosis {
  // For a sampled model:
  std::size_t chains = 0, burn_in = 0, sweeps = 0, draws = 0;  ///< draws: kept, of all chains
  std::vector<ChainQuantity> quantity;   ///< independent of the labels of components
  std::vector<ChainQuantity> parameter;  ///< of aligned components; the largest R-hat first
  bool mixed = false;
  std::size_t sweeps_needed = 0;  ///< if not mixed: an estimate of the sweeps that would be enough
  std::optional<InformationCriterion> conditional = {};  ///< memberships count as parameters
  std::optional<InformationCriterion> marginal = {};     ///< memberships integrated out; needs data
  std::map<std::size_t, double> clusters = {};  ///< infinite membership: posterior of their number
  // For any model:
  std::size_t restarts = 0, same_optimum = 0;  ///< starts, and those that reached the best bound
  std::size_t small_profiles = 0;              ///< with less than 0.5 % of all memberships
  bool sound = true;                           ///< there is nothing to worry about
  std::vector<Finding> finding;                ///< what was found
  std::vector<Finding> suggestion;             ///< what to do
};

/// The kept draws of one chain (from 0) as a CmdStan CSV file, which ArviZ, posterior and similar
/// programs read: a comment, a header, a line per draw. lp__ is the log-likelihood (with infinite
/// membership: of labels and data together); then come the recorded quantities, then the
/// parameters, name.component or name.component.level, numbered from 1 (characters with a meaning
/// there become _). If draws differ in their number of components, there are no columns of
/// parameters. Throws InputError if the model is not sampled.
[[nodiscard]] std::string draws_csv(const Model& model, std::size_t chain);
/// The number of chains of a sampled model, else 0.
[[nodiscard]] std::size_t chains_of(const Model& model);

/// The limits for mixing: largest R-hat, smallest number of effective draws.
inline constexpr double kMixedRhat = 1.05, kMixedDraws = 400;

/// Diagnoses a model from what its file holds.
[[nodiscard]] Diagnosis diagnose(const Model& model);
/// The same, and the marginal criterion. `data`: the rows that the model was learnt from.
[[nodiscard]] Diagnosis diagnose(const Model& model, const Dataset& data, std::size_t threads = 0,
                                 const Hooks& hooks = {});

// Tests of the samplers on the user's own model and table: rows, columns, levels and missing
// cells as they are, with answers drawn from the model and its priors.
//
//   geweke   draws parameters from their priors and data given them. This joint distribution must
//            not change when data given parameters and parameters given data (the sampler) are
//            drawn in turn. The means of many quantities are compared (Geweke 2004, "Getting it
//            right: joint distribution tests of posterior simulators")
//   sbc      draws parameters from their priors and data given them, then fits: among the fit's
//            draws the truth must have every rank equally often (Talts, Betancourt, Simpson,
//            Vehtari and Gelman 2018, "Validating Bayesian inference algorithms with
//            simulation-based calibration")
//
// A correct sampler fails for one seed in a hundred (Bonferroni over the compared quantities).

/// Which test to run.
enum class SelfTestKind { geweke, sbc };

/// The size of the test.
struct SelfTestOptions {
  SelfTestKind kind = SelfTestKind::geweke;
  std::size_t rows = 20;  ///< drawn from the data; all rows if there are fewer
  /// geweke: chains, at least 20; sbc: fits, at least 80. 0: 100 chains or 200 fits.
  std::size_t replicates = 0;
};

/// One compared quantity; it does not depend on the labels of components.
struct SelfTestRow {
  std::string name;
  /// geweke: its mean from the priors, and from the alternation. sbc: 0.5, the expected mean rank
  /// as a share, and the mean rank found.
  double expected = 0, found = 0;
  double error = 0;      ///< standard error of their difference
  double statistic = 0;  ///< geweke: the difference in standard errors; sbc: chi-square of ranks
  double p = 1;          ///< probability that a correct sampler differs at least as much
  bool passed = true;
};

/// The result of the test.
struct SelfTest {
  SelfTestKind kind = SelfTestKind::geweke;
  std::string model;  ///< the preset
  std::size_t rows = 0, cells = 0, replicates = 0;
  double least_p = 0;  ///< a row with a smaller p fails; 1 % in all for a correct sampler
  std::vector<SelfTestRow> row = {};
  std::size_t slow = 0;  ///< sbc: fits whose draws still depended on each other
  bool passed = false;
  bool interrupted = false;                ///< stopped by the hooks: nothing was compared
  std::vector<std::string> sentence = {};  ///< the result in words
};

/// `fitting`: the model with its priors, as for fit(). Of the data only the shape matters, and
/// the priors of numbers, which come from their columns. Same seed, same bits, at any number of
/// threads. Throws InputError if the model is not sampled.
[[nodiscard]] SelfTest selftest(const Dataset& data, const FitOptions& fitting,
                                const SelfTestOptions& options, const Hooks& hooks = {});

/// The compared quantities as a table, and the result in sentences.
[[nodiscard]] std::string describe(const SelfTest& test);

}  // namespace medley
