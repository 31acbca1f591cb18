// SPDX-License-Identifier: Apache-2.0
// The options of a fit, the table that describes every option, and the catalogue of available
// models.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "medley/data.hpp"
#include "medley/error.hpp"
#include "medley/io.hpp"

namespace medley {

// The model to fit and the method. fit_option_fields() has the range and help of every option. An
// empty optional or an empty name means: let the preset and the data decide.

/// How the Dirichlet parameter alpha is set.
enum class AlphaMode {
  fitted,     ///< one fitted value per component (asymmetric)
  symmetric,  ///< one fitted value, common to all components
  fixed       ///< FitOptions::alpha gives the value for every component
};

/// How the tables of a model are estimated.
enum class Estimate {
  map,  ///< points: the maximum of likelihood times prior
  vb    ///< posteriors (variational Bayes); the model shows their means
};

/// How the label column is learnt.
enum class LabelHead {
  none,    ///< not at all: the label is set aside
  softmax  ///< together with the components
};

/// The lower bound of the label's likelihood that the fit maximises.
enum class LabelBound {
  lse,   ///< the tighter bound, on the log of the sum of exponentials
  paper  ///< the bound of the papers
};

/// The likelihood that a fit with a label maximises.
enum class LabelObjective {
  joint,       ///< p(x, y)
  conditional  ///< first p(x, y), then p(y | x), held to the joint fit by LabelOptions::pull
};

/// How the label column takes part in a fit.
struct LabelOptions {
  /// Default: from the preset; without a preset softmax if the data have a label.
  std::optional<LabelHead> head = {};
  std::optional<LabelBound> bound = {};  ///< default: from the preset, else lse
  /// Factor of the label's log-likelihood, above 0. Default: 1 in a preset of a paper, else the
  /// mean number of observations of a row, so that the label counts as much as the rest of the row.
  std::optional<double> weight = {};
  double smoothing = 0.1;  ///< imagined rows of every class in every component; >= 0
  std::optional<LabelObjective> objective = {};  ///< default joint
  /// Conditional objective: strength of the pull towards the joint fit, above 0; default 10.
  std::optional<double> pull = {};
  /// Start eta at this times the identity (the paper's start), at least 0. Default: start from the
  /// shares of the classes in the components of the start.
  std::optional<double> eta_start = {};
};

/// Priors of gamma and correlated membership (non-negative matrix factorisation); all above 0.
struct RateOptions {
  std::optional<double> a0 = {};  ///< shape of a row's weights; default 1/K
  std::optional<double> b0 = {};  ///< rate of a row's weights; default 1/K
  std::optional<double> c0 =
      {};  ///< shape and rate of a component's scale; default smoothing * slots
  /// Dimension of the locations, at most K; default the smaller of K and 100.
  std::optional<std::size_t> dimension = {};
  std::optional<double> sigma2 = {};  ///< variance of a component's location; default 1/dimension
};

/// Options of sampled models (`gibbs` inference): chains, and priors without an option elsewhere.
struct ChainOptions {
  std::size_t chains = 4;   ///< at least 1; mixing can be judged from 2 on
  std::size_t sweeps = 0;   ///< of each chain after its burn-in; 0: 1000
  std::size_t burn_in = 0;  ///< sweeps to discard first; 0: as many as `sweeps`
  std::size_t draws = 0;    ///< kept per chain; 0: 100, or fewer to stay within 64 MB
  /// Mixed membership: the sum of alpha has the prior Gamma(shape, rate).
  double alpha_shape = 2, alpha_rate = 10;
  /// Infinite membership: concentration of the Dirichlet process; its start if it has a prior.
  double concentration = 1;
  /// Prior Gamma(shape, rate) of the concentration; 0: the concentration is fixed.
  double concentration_shape = 0, concentration_rate = 0;
  /// Numbers of clusters from which the chains start, in turn; a number above the number of rows
  /// starts with every row alone. Empty: 1, 10, 40 and every row alone.
  std::vector<std::size_t> starts = {};
};

/// The default of FitOptions::variance_floor.
inline constexpr double kVarianceFloor = 1e-3;

/// The model, and the effort to fit it. Empty strings mean "the default for these data".
struct FitOptions {
  std::string model;  ///< preset name, e.g. "gom"; empty: lda for token-only data, else mmnb
  std::size_t components = 0;  ///< K, at least 1; infinite membership finds it
  LabelOptions label = {};     ///< for a data set with a label column
  RateOptions rates = {};      ///< for gamma and correlated membership
  ChainOptions chains = {};    ///< for gibbs inference
  std::string membership;      ///< one of list_memberships(); empty: from the preset
  /// One of list_inferences(). "auto": the best that is affordable. Empty: from the preset; without
  /// a preset auto for tables, collapsed for words.
  std::string inference;
  std::string
      alpha;  ///< "fitted", "symmetric" or "fixed:VALUE" (VALUE may be "50/K"); empty: preset
  std::optional<Estimate> estimate = {};  ///< default: from the preset, else map
  /// Pseudo-count per table row, at least 0: Laplace smoothing; for posteriors the Dirichlet prior,
  /// which must be above 0. Default: from the preset; 0.1 for tables when no preset was asked for,
  /// and with exact and Monte-Carlo inference.
  std::optional<double> smoothing = {};
  /// Fit the pseudo-count of every block of words, levels or answers, starting from `smoothing`.
  /// Collapsed inference does so by default; not possible for points (Estimate::map).
  bool fit_smoothing = false;
  /// Imagined observations of every column under every component, distributed as the column is.
  /// Where a component has few observations of a column, it then follows the population. At least
  /// 0; default 20 for a rating log, where most pairs are missing, else 0.
  std::optional<double> shrink = {};
  /// Families with a variance: no component's variance falls below this share of the column's usual
  /// variance, which is that of the middle half of its values; from 1e-9 to 1.
  double variance_floor = kVarianceFloor;
  /// The start. random: a few random rows per component plus noise. sample: memberships of every
  /// row drawn at random. kmeans: rows seeded far apart, then hard assignment. single: the
  /// single-membership fit. labels: one component (or several) per class. noise, collapsed: for
  /// words. Empty: single for tables; for tokens sample, but random with standard inference of all
  /// rows. To start from a model, pass it to fit().
  std::string init;
  /// Short starts per restart, of which the best continues: for single membership, and for exact or
  /// Monte-Carlo inference that begins with it. 0: 16 for single membership, 48 for exact and
  /// Monte-Carlo inference, else 1.
  std::size_t tries = 0;
  std::size_t restarts = 1;  ///< independent fits; the one with the best penalised bound is kept
  std::uint64_t seed = 1;    ///< same seed, same bits, at any number of threads
  std::size_t threads = 0;   ///< 0: all cores that the process may use
  /// Cut the rows into this many shards, sum up each shard by itself and then the sums, in a fixed
  /// order: the same bits wherever the shards are, in one process or in several (Communicator in
  /// fit.hpp). Equal rows are then not folded. 0: no shards, or one for each process.
  std::size_t shards = 0;
  double tolerance = 1e-6;  ///< stop when the penalised bound grows by less than this (relative)
                            ///< twice in a row; three times where iterations are extrapolated
  std::size_t max_iterations = 500;
  /// Rows of a minibatch; 0: from the preset, else all rows at once. Above 0 the model is learnt
  /// minibatch by minibatch (stochastic inference): statistics <- (1 - rho_t) statistics + rho_t
  /// rows/batch (statistics of the minibatch), rho_t = (t0 + t)^-kappa.
  std::size_t batch = 0;
  std::optional<double> t0 = {};  ///< at least 0; default 1 below 10 minibatches a pass, 16 from 30
  double kappa = 0.7;             ///< above 0.5, at most 1
  std::size_t passes = 0;         ///< over the rows; 0: 1 for 100,000 streamed rows or more, else 5
  double limit = 3600;  ///< seconds; exact inference is refused if its estimated time is longer

  /// Checkpoint file, written on interruption and every checkpoint_seconds; empty: none. It stays
  /// after the fit: remove it once the model is saved.
  std::string checkpoint;
  double checkpoint_seconds = 60;
  bool resume = false;  ///< continue from `checkpoint` if that file exists
};

/// How a fit ended.
enum class Termination {
  converged,
  iteration_limit,
  interrupted,
  passes_done,  ///< minibatches: the requested passes over the rows are done
  sampled       ///< chains: all sweeps are done; diagnose() says whether the chains mixed
};

/// One of the short fits among which a fit chose its start.
struct TriedStart {
  std::string name;
  std::size_t iterations = 0;
  double bound = 0;  ///< penalised, after these iterations
};

/// The course of one restart.
struct RestartTrace {
  std::vector<double> bound;  ///< penalised bound after each iteration of the fit stage
  Termination termination = Termination::iteration_limit;
  std::vector<TriedStart> tried = {};  ///< empty: there was no choice
};

/// What a model had learnt from before its last update (update()).
struct Earlier {
  std::size_t updates = 0;  ///< number of updates, including the last; 0: a plain fit
  std::size_t rows = 0;
  double observations = 0;
};

/// The result of a fit, in numbers and sentences.
struct FitSummary {
  Termination termination = Termination::iteration_limit;
  std::size_t iterations = 0;  ///< of the restart that was kept
  std::size_t best_restart = 0;
  std::vector<RestartTrace> restarts;
  double penalised_bound = 0;  ///< at the end of training (warm-started rows)
  /// The same without the penalty: training rows with the variational parameters of the last
  /// iteration. Only for mean-field inference of all rows at once.
  std::optional<double> training_bound = {};
  /// Score of the training rows (after an update: of the new rows) from the documented start; equal
  /// to evaluate() on them. NaN if the fit was interrupted before it scored them; the sizes of the
  /// components are then their prior means.
  double bound = 0;
  /// Minibatches of many rows: `bound` is scaled up from a sample of this many rows, by their
  /// observations; evaluate() on sample_rows() gives the same value per observation. 0: every row
  /// was scored.
  std::size_t scored_rows = 0;
  double bound_error = 0;  ///< standard error of a `bound` from a sample
  bool exact = false;      ///< the bound is the log-likelihood itself
  /// True: traces and penalised_bound are the leave-one-out log-likelihood, the sum over cells of
  /// log p(cell | all other cells), at expected counts (collapsed inference).
  bool leave_one_out = false;
  std::vector<double> smoothing = {};  ///< per block, where it was fitted
  /// Where `bound` is only a bound: the likelihood itself, if it is quick to compute (short rows)
  /// or was sampled (Monte-Carlo inference, with a standard error above 0).
  std::optional<double> log_likelihood = {};
  double log_likelihood_error = 0;
  std::string why_inference = {};  ///< why the fit chose the inference; empty if the caller did
  // Totals over all rows learnt from, including those before an update:
  std::size_t rows = 0, empty_rows = 0;  ///< rows read, and those with nothing observed
  double observations = 0;               ///< observed cells or tokens, weighted
  Weighting weights = {};                ///< of the rows
  Earlier earlier = {};
  /// Minibatches learnt so far, t of the step size; an update continues from it. 0: none.
  std::size_t steps = 0;
  std::vector<std::string> warnings;  ///< empty components, alpha at its limits, falling bound ...
  // Not stored in the model file, so that equal fits give equal files:
  double seconds = 0;
  std::size_t peak_bytes = 0;
  std::size_t rows_learnt = 0;  ///< minibatches: rows inferred in all passes, and the seconds taken
  double seconds_learning = 0;
};

// What can be fitted: the members of each axis, the presets, and combinations that are refused.

/// A name and what it stands for.
struct CatalogueEntry {
  std::string name;
  std::string summary;
};

/// A published model as one point of the grid.
struct Preset {
  std::string name;
  std::string summary;
  std::string membership;  ///< one of list_memberships()
  std::string inference;   ///< one of list_inferences()
  std::string alpha;       ///< "fitted", "symmetric"; empty for single
  std::string encoding;    ///< "any", "tokens" or "levels": the blocks it is for
  bool missing_as_category = false;
  bool label = false;  ///< learns a label, with the bound and the start of its paper
  Estimate estimate = Estimate::map;
  double smoothing = 0.01;  ///< FitOptions::smoothing
  std::size_t batch = 0;    ///< FitOptions::batch
};

/// All presets.
[[nodiscard]] const std::vector<Preset>& presets();
/// Whether this preset with this membership (empty: the preset's own) finds the number of
/// components, so that K must not be given.
[[nodiscard]] bool finds_components(const std::string& model, const std::string& membership);
/// The members of each axis, with a summary.
[[nodiscard]] std::vector<CatalogueEntry> list_families();
[[nodiscard]] std::vector<CatalogueEntry> list_memberships();
[[nodiscard]] std::vector<CatalogueEntry> list_inferences();
[[nodiscard]] std::vector<CatalogueEntry> list_estimates();
/// Combinations that are refused, each with the nearest alternative.
[[nodiscard]] std::vector<CatalogueEntry> list_not_offered();

// The options of a fit and of reading, by name, in one table. The command line makes its flags from
// it, `medley models` its list of defaults, and other languages their keywords; it also controls
// what model files and the fingerprints of checkpoints contain.

/// The description of an option. Texts name other options in backticks, as messages do: `k`,
/// `max_iterations=10`, `inference="exact"`.
struct OptionField {
  std::string name;             ///< "max_iterations"; on the command line --max-iterations
  std::string group;            ///< its heading in the help: "Search"
  std::string value;            ///< placeholder of the value in usage texts: "N"; empty for flags
  std::string type;             ///< "number", "whole number", "text", "yes/no", or a list of such:
                                ///< "numbers", "whole numbers", "texts"
  std::string default_text;     ///< "500", or in words; empty: none
  std::string help;             ///< what it does, without the default; may be empty
  std::string range;            ///< "a whole number of at least 1"; empty: any
  bool in_model = false;        ///< stored in model files
  bool in_fingerprint = false;  ///< a fit cannot resume with another value
  bool repeatable = false;      ///< set_option adds a value instead of replacing it
};

/// All fields in the order of the help, groups together.
[[nodiscard]] std::span<const OptionField> fit_option_fields();
[[nodiscard]] std::span<const OptionField> read_option_fields();

/// Sets an option from text; "true" and "false" for yes and no. Throws InputError: for an unknown
/// name with the nearest name, for an invalid value with the range.
void set_option(FitOptions& options, std::string_view name, std::string_view value);
void set_option(ReadOptions& options, std::string_view name, std::string_view value);

/// The text that would set the option; empty where the preset and the data decide. The values of a
/// repeatable option are on separate lines.
[[nodiscard]] std::string get_option(const FitOptions& options, std::string_view name);
[[nodiscard]] std::string get_option(const ReadOptions& options, std::string_view name);

// The version of the library.

/// "MAJOR.MINOR.PATCH" of the library that was linked.
[[nodiscard]] const char* version();

}  // namespace medley
