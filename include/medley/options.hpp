// SPDX-License-Identifier: Apache-2.0
// The options of a fit, the table that describes every option, and the catalogue of models on
// offer.
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

// What to fit and how. Every option has a name, a range and a help text in option_table.hpp; an
// empty optional and an empty name mean "as the preset and the data say".

/// How the Dirichlet parameter alpha is treated.
enum class AlphaMode {
  fitted,     ///< one value per component, fitted (asymmetric)
  symmetric,  ///< one common value, fitted
  fixed       ///< FitOptions::alpha_value for every component
};

/// What is made of the tables of a model.
enum class Estimate {
  map,  ///< points, the maximum of likelihood and prior
  vb    ///< posteriors (variational Bayes), of which the model shows the means
};

/// What is learnt of the label column.
enum class LabelHead {
  none,    ///< it is set aside
  softmax  ///< it is learnt with the components
};

/// Which lower bound of the label's likelihood is raised.
enum class LabelBound {
  lse,   ///< the tighter one, on the log of the sum of exponentials
  paper  ///< that of the papers
};

/// Which likelihood a fit with a label raises.
enum class LabelObjective {
  joint,       ///< p(x, y)
  conditional  ///< first that, then p(y | x), held to the joint fit by LabelOptions::pull
};

/// How the label column takes part in a fit.
struct LabelOptions {
  /// Default: as the preset says; without a preset softmax if the data has a label.
  std::optional<LabelHead> head = {};
  std::optional<LabelBound> bound = {};  ///< default: as the preset says, else lse
  /// How often the label's log-likelihood counts, above 0. Default: once in a preset of a paper,
  /// else as often as a row has observations on average, so that it says as much as the rest of the
  /// row.
  std::optional<double> weight = {};
  double smoothing = 0.1;  ///< imagined rows of every class in every component; >= 0
  std::optional<LabelObjective> objective = {};  ///< default joint
  std::optional<double> pull = {};  ///< how strongly conditional is held, above 0; default 10
  /// Start eta at this times the identity (the paper's start), at least 0. Default: from the shares
  /// of the classes in the components of the start.
  std::optional<double> eta_start = {};
};

/// Priors of gamma and correlated membership (non-negative matrix factorisation), all above 0.
struct RateOptions {
  std::optional<double> a0 = {};  ///< shape of a row's weights; default 1/K
  std::optional<double> b0 = {};  ///< their rate; default 1/K
  std::optional<double> c0 =
      {};  ///< shape and rate of a component's scale; default smoothing * slots
  /// Of the locations, at most K; default the smaller of K and 100.
  std::optional<std::size_t> dimension = {};
  std::optional<double> sigma2 = {};  ///< variance of a component's location; default 1/dimension
};

/// Of models that are sampled (`gibbs` inference): chains, and priors that nothing else says.
struct ChainOptions {
  std::size_t chains = 4;   ///< at least 1; below 2 nothing can be said about mixing
  std::size_t sweeps = 0;   ///< of each chain after its burn-in; 0: 1000
  std::size_t burn_in = 0;  ///< sweeps before; 0: as many as sweeps
  std::size_t draws = 0;    ///< kept of each chain; 0: 100, fewer if they took more than 64 MB
  /// Mixed membership: the sum of alpha has the prior Gamma(shape, rate).
  double alpha_shape = 2, alpha_rate = 10;
  /// Infinite membership: of the Dirichlet process; where it starts, if it has a prior.
  double concentration = 1;
  /// Its prior Gamma(shape, rate); 0: it is fixed.
  double concentration_shape = 0, concentration_rate = 0;
  /// Clusters that the chains start from, in turn; more than there are rows: every row alone.
  /// Empty: 1, 10, 40 and every row alone.
  std::vector<std::size_t> starts = {};
};

/// The default of FitOptions::variance_floor.
inline constexpr double kVarianceFloor = 1e-3;

/// Which model, and how hard to try. Empty strings mean "the default for this data".
struct FitOptions {
  std::string model;  ///< preset name, e.g. "gom"; empty: lda for token-only data, else mmnb
  std::size_t components = 0;  ///< K, at least 1; infinite membership finds it
  LabelOptions label = {};     ///< of a data set with a label column
  RateOptions rates = {};      ///< of gamma and correlated membership
  ChainOptions chains = {};    ///< of gibbs inference
  std::string membership;      ///< one of list_memberships(); empty: as the preset says
  /// One of list_inferences(). "auto": the best that is affordable. Empty: as
  /// the preset says; without one auto for a table, collapsed for words.
  std::string inference;
  std::string
      alpha;  ///< "fitted", "symmetric" or "fixed:VALUE" (VALUE may be "50/K"); empty: preset
  std::optional<Estimate> estimate = {};  ///< default: as the preset says, else map
  /// Pseudo-count per table row, at least 0: Laplace smoothing, or the Dirichlet prior of a
  /// posterior, then above 0. Default: as the preset says, else 0.01.
  std::optional<double> smoothing = {};
  /// The pseudo-count of every block of words, levels or answers is fitted, from `smoothing` on.
  /// Collapsed inference does so by default; points (estimate map) cannot.
  bool fit_smoothing = false;
  /// Imagined observations of every column under every component, distributed as the column is:
  /// what a component says of a column it has hardly seen is what the population says. At least 0;
  /// default 20 for a rating log, where most pairs are missing, else 0.
  std::optional<double> shrink = {};
  /// Families with a variance: the share of a column's usual variance, that of the middle half of
  /// its values, below which no component's variance falls; from 1e-9 to 1.
  double variance_floor = kVarianceFloor;
  /// random: a few random rows per component plus noise. sample: memberships of every row drawn at
  /// random. kmeans: rows seeded far apart, then hard assignment. single: the single-membership
  /// fit. labels: one component (or several) per class. noise, collapsed: for words. Empty: single
  /// for tables; for tokens sample, by standard inference of all rows random. To start from a model
  /// give it to fit().
  std::string init;
  /// Short starts of which the best goes on, of each restart: single membership, and exact or
  /// Monte-Carlo inference that begins with it. 0: 16, 48 and 48, and 1 elsewhere.
  std::size_t tries = 0;
  std::size_t restarts = 1;  ///< independent fits; the best penalised bound is kept
  std::uint64_t seed = 1;    ///< same seed, same bits, at any number of threads
  std::size_t threads = 0;   ///< 0: all cores that we may use
  double tolerance = 1e-6;   ///< stop when the penalised bound grows by less than this (relative),
                             ///< twice running; three times where iterations are extrapolated
  std::size_t max_iterations = 500;
  /// Rows of a minibatch; 0: as the preset says, else all rows at once. Above 0 the model is learnt
  /// minibatch by minibatch (stochastic inference): statistics <- (1 - rho_t) statistics + rho_t
  /// rows/batch of the minibatch's, rho_t = (t0 + t)^-kappa.
  std::size_t batch = 0;
  std::optional<double> t0 = {};  ///< at least 0; default 1 below 10 minibatches a pass, 16 from 30
  double kappa = 0.7;             ///< above 0.5, at most 1
  std::size_t passes = 0;         ///< over the rows; 0: 1 for 100,000 streamed rows or more, else 5
  double limit = 3600;  ///< seconds; exact inference that would take longer (estimated) is refused

  /// File written on interruption and every checkpoint_seconds; empty: none. It stays after the
  /// fit: remove it when the model is saved.
  std::string checkpoint;
  double checkpoint_seconds = 60;
  bool resume = false;  ///< continue from `checkpoint` if it exists
};

/// How a fit ended.
enum class Termination {
  converged,
  iteration_limit,
  interrupted,
  passes_done,  ///< minibatches: every row was learnt from as often as asked
  sampled       ///< chains: all sweeps were made; `diagnose` tells whether they mixed
};

/// One of the short fits that a fit chose its beginning from.
struct TriedStart {
  std::string name;
  std::size_t iterations = 0;
  double bound = 0;  ///< penalised, after them
};

/// The course of one restart.
struct RestartTrace {
  std::vector<double> bound;  ///< penalised bound after each iteration of the fit stage
  Termination termination = Termination::iteration_limit;
  std::vector<TriedStart> tried = {};  ///< empty: there was nothing to choose
};

/// What a model had been learnt from before the last update (update.hpp).
struct Earlier {
  std::size_t updates = 0;  ///< how many there were, the last one included; 0: a plain fit
  std::size_t rows = 0;
  double observations = 0;
};

/// What came out, in numbers and in words.
struct FitSummary {
  Termination termination = Termination::iteration_limit;
  std::size_t iterations = 0;  ///< of the restart that was kept
  std::size_t best_restart = 0;
  std::vector<RestartTrace> restarts;
  double penalised_bound = 0;  ///< at the end of training (warm-started rows)
  /// The same without the penalty: training rows with the variational parameters of the last
  /// iteration. Mean-field inference of all rows at once only.
  std::optional<double> training_bound = {};
  /// Training rows (after an update: the new ones) from the documented start; equals `evaluate` on
  /// them. NaN where the fit was interrupted before they were scored: the sizes of the components
  /// are then what the prior expects.
  double bound = 0;
  /// Minibatches of many rows: `bound` is scaled up from a sample of so many rows, by their
  /// observations; evaluate on sample_rows (stream.hpp) gives the same per observation. 0: every
  /// row was scored.
  std::size_t scored_rows = 0;
  double bound_error = 0;  ///< its standard error then
  bool exact = false;      ///< the bound is the log-likelihood itself
  /// Traces and penalised_bound are of no bound, but of the leave-one-out log-likelihood, sum over
  /// cells of log p(cell | all other cells), at expected counts (collapsed inference).
  bool leave_one_out = false;
  std::vector<double> smoothing = {};  ///< per block, where it was fitted
  /// Where `bound` is only a bound: the likelihood itself, if it is quick to compute (short rows)
  /// or was sampled (Monte-Carlo inference); then with a standard error above 0.
  std::optional<double> log_likelihood = {};
  double log_likelihood_error = 0;
  std::string why_inference = {};  ///< why it was chosen, in a sentence; empty if it was asked for
  // All rows learnt from, those before an update included:
  std::size_t rows = 0, empty_rows = 0;  ///< rows read, and those with nothing observed
  double observations = 0;               ///< observed cells or tokens, weighted
  Weighting weights = {};                ///< of the rows
  Earlier earlier = {};
  /// Minibatches learnt so far, t of the step size; an update goes on from there. 0: none.
  std::size_t steps = 0;
  std::vector<std::string> warnings;  ///< dead components, alpha at its limits, bound that fell ...
  // Not stored in the model file, which holds no clock:
  double seconds = 0;
  std::size_t peak_bytes = 0;
  std::size_t rows_learnt = 0;  ///< minibatches: rows inferred in all passes, and how long it took
  double seconds_learning = 0;
};

// What can be fitted: the members of each axis, the presets over them, and what is not offered.

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
  std::string encoding;    ///< "any", "tokens" or "levels": the blocks it is meant for
  bool missing_as_category = false;
  bool label = false;  ///< learns a label, with the bound and the start of its paper
  Estimate estimate = Estimate::map;
  double smoothing = 0.01;  ///< FitOptions::smoothing
  std::size_t batch = 0;    ///< FitOptions::batch
};

[[nodiscard]] const std::vector<Preset>& presets();
/// Whether that preset with that membership (empty: the preset's own) finds how many components
/// there are, so that no K may be given.
[[nodiscard]] bool finds_components(const std::string& model, const std::string& membership);
[[nodiscard]] std::vector<CatalogueEntry> list_families();
[[nodiscard]] std::vector<CatalogueEntry> list_memberships();
[[nodiscard]] std::vector<CatalogueEntry> list_inferences();
[[nodiscard]] std::vector<CatalogueEntry> list_estimates();
/// Combinations that are refused, each with the nearest thing that is offered.
[[nodiscard]] std::vector<CatalogueEntry> list_not_offered();

// The options of a fit and of reading, by name: one table, from which the command line makes its
// flags, `medley models` its list of defaults and other languages their keywords. Model files and
// the fingerprints of checkpoints are written from the same table.

/// What is to be said of an option. Texts name other options in backticks, as messages do: `k`,
/// `max_iterations=10`, `inference="exact"`.
struct OptionField {
  std::string name;             ///< "max_iterations"; on the command line --max-iterations
  std::string group;            ///< the heading it stands under: "Search"
  std::string value;            ///< what stands for a value where usage is shown: "N"; flags: empty
  std::string type;             ///< "number", "whole number", "text", "yes/no", or a list of such:
                                ///< "numbers", "whole numbers", "texts"
  std::string default_text;     ///< "500", or in words; empty: none
  std::string help;             ///< what it is, without the default; may be empty
  std::string range;            ///< "a whole number of at least 1"; empty: any
  bool in_model = false;        ///< model files have it
  bool in_fingerprint = false;  ///< a fit is not resumed with another value
  bool repeatable = false;      ///< set_option adds to it
};

/// In the order of help: groups together.
[[nodiscard]] std::span<const OptionField> fit_option_fields();
[[nodiscard]] std::span<const OptionField> read_option_fields();

/// Sets an option from text, "true" and "false" for yes and no. Throws InputError: with the nearest
/// name if there is no such option, with the range if the value is none.
void set_option(FitOptions& options, std::string_view name, std::string_view value);
void set_option(ReadOptions& options, std::string_view name, std::string_view value);

/// The text that would set it; empty where the preset and the data decide. What was added to a
/// repeatable option stands in lines.
[[nodiscard]] std::string get_option(const FitOptions& options, std::string_view name);
[[nodiscard]] std::string get_option(const ReadOptions& options, std::string_view name);

// The version of the library.

/// "MAJOR.MINOR.PATCH" of the library that was linked.
[[nodiscard]] const char* version();

}  // namespace medley
