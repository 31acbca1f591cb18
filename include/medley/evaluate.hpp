// SPDX-License-Identifier: Apache-2.0
// How well a model does: scores, hidden cells, cross-validation, the quality of topics and
// profiles, comparison with another model.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "medley/data.hpp"
#include "medley/error.hpp"
#include "medley/io.hpp"
#include "medley/model.hpp"
#include "medley/options.hpp"
#include "medley/predict.hpp"

namespace medley {

// Using a fitted model on rows: memberships and scores. Each row is treated alone, from the
// documented start, in double precision: the result does not depend on threads, nor, its last
// digits aside, on the other rows.

/// How the log-likelihood of a row was obtained.
enum class Estimator {
  bound,          ///< the variational lower bound: never above the log-likelihood
  exact,          ///< the log-likelihood itself
  importance,     ///< estimated by drawing memberships
  left_to_right,  ///< estimated by drawing components, observation by observation
  completion      ///< not the whole row: a part of it given the rest
};
[[nodiscard]] std::string to_string(Estimator estimator);

/// What is known of one row under the model.
struct RowScore {
  double observations = 0;     ///< observed cells or tokens
  double log_likelihood = 0;   ///< natural log, by the estimator named
  double sampling_error = 0;   ///< standard error of log_likelihood if it was estimated by drawing
  double effective_draws = 0;  ///< how many equally good draws the estimate is worth; 0: none drawn
  double baseline = 0;         ///< the same cells under the training marginals of each column
  double entropy = 0;          ///< of the membership, in nats
  std::size_t top = 0;         ///< largest component, from 0
  double top_share = 0;
};

/// Memberships, rows x K, row-major.
struct Memberships {
  std::size_t components = 0;
  std::vector<double> share;
  std::string note =
      {};  ///< where the model's own inference was too costly for these rows: says so
  [[nodiscard]] std::size_t rows() const { return components == 0 ? 0 : share.size() / components; }
  [[nodiscard]] const double* row(std::size_t i) const { return share.data() + i * components; }
};

/// How clusters (top components) come to stand for classes.
enum class Match {
  majority,  ///< each for its most frequent class, the first of equally frequent ones
  identity,  ///< component k for class k in the order of the class names; needs K >= classes
  hungarian  ///< one to one, so that the most rows are right
};
[[nodiscard]] std::string to_string(Match match);

/// The rows on which that is learnt: those that are scored, or one side of the fold.
enum class MatchOn { scored, train, test };
[[nodiscard]] std::string to_string(MatchOn rows);

/// Agreement of hard clusters (top component) with a known grouping. Rows count once each.
struct TruthScores {
  std::string column;
  std::size_t rows = 0;           ///< rows whose class is known
  double micro_precision = 0;     ///< share of rows in the majority class of their cluster
  double mutual_information = 0;  ///< nats
  double nmi = 0;                 ///< mutual information over the mean of the two entropies
  /// Share of rows whose cluster stands for their class. A cluster that stands for none is wrong.
  double accuracy = 0;
  Match match = Match::majority;
  MatchOn matched_on = MatchOn::scored;
};

/// The cells of one block on their own, the other blocks hidden; under completion, the predicted
/// cells of the block given the observed part of all blocks.
struct BlockScore {
  std::string block;
  double observations = 0;
  double log_likelihood = 0;
  double baseline = 0;
  double above_baseline = 0;  ///< nats per observation
  double above_error = 0;     ///< its standard error, from the spread over rows
};

/// Scores of a whole file.
struct Evaluation {
  Estimator estimator = Estimator::bound;
  std::string reason;  ///< why this estimator, if it was chosen by "auto"
  /// Block weights other than 1: the score is that of the weighted likelihood, and compares only
  /// with scores under the same weights.
  bool tempered = false;
  std::size_t rows = 0, empty_rows = 0;
  double observations = 0;        ///< cells or words, weighted
  Weighting weights = {};         ///< of the rows
  double log_likelihood = 0;      ///< sum over rows (weighted by row weights)
  double standard_error = 0;      ///< of log_likelihood, from the spread over rows
  double sampling_error = 0;      ///< the part of it that comes from drawing
  double baseline = 0;            ///< sum under the column marginals of the training data
  double above_baseline = 0;      ///< the headline: nats per observation above the baseline
  double above_error = 0;         ///< its standard error, from the spread over rows
  double perplexity = 0;          ///< exp(-log_likelihood / observations)
  double log_row_perplexity = 0;  ///< -log_likelihood / rows: the log, because the number overflows
  double mean_entropy = 0;        ///< of memberships, nats
  /// Rows whose estimate rests on fewer than kFewDraws effective draws: its error is not to be
  /// trusted there.
  std::size_t poorly_drawn = 0;
  std::vector<BlockScore> block;  ///< if there are several
  std::vector<RowScore> row;
  std::vector<TruthScores> truth;
  /// How well the classes of a model with a label are predicted, if the data has any; else, for
  /// such a model, why not.
  std::optional<LabelScores> label;
  std::string label_note;
};

/// See Evaluation::poorly_drawn.
inline constexpr double kFewDraws = 10;

struct EvaluateOptions {
  /// "bound", "exact", "importance", "left-to-right", "completion", or "auto": exact where that
  /// takes less than about half a minute, else left-to-right if that takes less than some minutes,
  /// else importance. Under block weights: bound.
  std::string estimator = "auto";
  std::size_t samples = 0;  ///< draws per row; 0: 1000 memberships, or 200 particles left to right
  bool each_block = true;   ///< score every block on its own too, if there are several
  bool threefold = false;   ///< completion of each third of a row, else of one half
  std::uint64_t seed = 1;   ///< of the draws and of the parts
  std::vector<std::string> truth;  ///< kept columns to compare the clusters with
  Match match = Match::majority;   ///< for their accuracy; learnt on the rows that are scored
  std::size_t threads = 0;
};

/// The membership of every row. A row with nothing observed gets the prior's.
[[nodiscard]] Memberships transform(const Model& model, const Dataset& data,
                                    std::size_t threads = 0, const Hooks& hooks = {});

/// Scores every row. Throws InputError if the estimator is not offered for this model.
[[nodiscard]] Evaluation evaluate(const Model& model, const Dataset& data,
                                  const EvaluateOptions& options, const Hooks& hooks = {});

/// Perplexity of five equal parts of the rows, from the lowest membership entropy to the highest
/// (figure 10 of the mixed-membership naive Bayes paper). Part p of n rows that have something
/// observed is those from p n / 5 to (p + 1) n / 5, rounded down; rows of equal entropy stand in
/// their order. NaN for a part without rows.
using Quintiles = std::array<double, 5>;
[[nodiscard]] Quintiles entropy_quintiles(const Evaluation& scores, const Dataset& data);

/// The training rows or the test rows of one fold. Perplexities, entropy and what is above the
/// baseline are NaN where nothing is observed.
struct FoldSide {
  Estimator estimator = Estimator::bound;
  std::size_t rows = 0;
  std::size_t unseen = 0;  ///< cells taken as missing: levels, words or items new to the model
  double observations = 0;
  double perplexity = 0;
  double log_row_perplexity = 0;
  double log_likelihood = 0;  ///< sum over the rows
  double above_baseline = 0;  ///< nats per cell above the marginals of the training rows
  double mean_entropy = 0;    ///< of memberships, nats
  Quintiles entropy_quintile = {};
  std::vector<TruthScores> truth;
  /// Of a label that was learnt. Rows of a class that no training row holds are wrong.
  std::optional<LabelScores> label = {};
};

struct Fold {
  FoldSide train, test;
  bool converged = true;  ///< false: the fit reached the iteration limit
};

/// What the model that has not seen a row says of it (CrossValidateOptions::each_row).
struct HeldOutRow {
  std::size_t fold = 0;  ///< from 0
  RowScore score = {};
  /// Per class of the label, in the order of the data's schema; 0 for a class that the training
  /// rows lack. Empty without a label.
  std::vector<double> probability = {};
};

/// A score over the folds: its mean and its standard deviation (n - 1). NaN where no fold has it.
struct OverFolds {
  double mean = 0, sd = 0;
};

/// The scores of the training rows, or of the test rows, over the folds.
struct FoldScores {
  OverFolds unseen, perplexity, log_row_perplexity, log_likelihood, above_baseline, mean_entropy;
  std::array<OverFolds, 5> entropy_quintile;
  struct Truth {
    std::string column;
    OverFolds micro_precision, mutual_information, nmi, accuracy;
  };
  std::vector<Truth> truth;
  struct Label {
    std::string column, method;  ///< of the label, and of its probabilities
    OverFolds accuracy, log_loss, brier, macro_f1;
    std::vector<CalibrationBin> calibration = {};  ///< of the rows of all folds together
    double calibration_error = 0;                  ///< of these bins, as in LabelScores
  };
  std::optional<Label> label = {};
};

/// Fits a model to the training rows of a fold.
using Fitter = std::function<Model(const Dataset&, const FitOptions&, const Hooks&)>;

struct CrossValidateOptions {
  std::size_t folds = 10;
  EvaluateOptions scoring;
  MatchOn match_on = MatchOn::train;  ///< one matching per fold, for both sides; `scored`: one each
  /// Chooses the words of text and tags among those of the training rows. The data should have been
  /// read with words.unselected().
  VocabularyOptions words;
  /// Instead of `fit`: one that chooses options, for example. It sees the training rows alone.
  Fitter fitter = {};
  /// Set the label aside, and tell it from the memberships by logistic regression: what a label is
  /// worth that takes part in the fit. The method of the scores is then "two-step".
  bool two_step = false;
  /// With a label: every fold holds as many rows of each class as the others, to within one.
  bool stratified = true;
  bool each_row = false;  ///< keep what is said of every test row
};

struct CrossValidation {
  std::vector<Fold> folds;  ///< those that ended, in order
  FoldScores train, test;
  Weighting weights = {};            ///< of all rows
  std::size_t rows = 0;              ///< of the data
  bool stratified = false;           ///< by the label
  std::vector<HeldOutRow> row = {};  ///< of every row of the data, if asked for
  std::size_t not_converged = 0;     ///< folds whose fit reached the iteration limit
  bool interrupted = false;          ///< stopped by the hooks: some folds are not there
};

/// The fold of every row, 0 .. folds-1: sizes differ by one at most. A function of the number of
/// rows and the seed alone, so that every model and K is judged on the same folds.
[[nodiscard]] std::vector<std::size_t> fold_of_rows(std::size_t rows, std::size_t folds,
                                                    std::uint64_t seed);
/// The same, class by class: the folds have the same share of every class, to within a row. Rows
/// without a class, or of one that is not known, are dealt like a class of their own.
[[nodiscard]] std::vector<std::size_t> fold_of_rows(const KeptColumn& label, std::size_t folds,
                                                    std::uint64_t seed);

/// Fits on all folds but one and scores both sides, for every fold: what `fit` on a file of the
/// training rows and `evaluate` on one of the test rows would give. Levels, words, items, columns
/// that vary, everything that is learnt comes from the training rows; cells of the test rows that
/// the training rows know nothing of are missing, and counted. What a column is (family, role) was
/// decided when the data was read. Sampling weights have mean 1 on each side. The folds are drawn
/// by the seed of the fit; several are fitted at a time if threads and memory allow, which changes
/// nothing. Checkpoints are not written.
[[nodiscard]] CrossValidation cross_validate(const Dataset& data, const FitOptions& fitting,
                                             const CrossValidateOptions& options,
                                             const Hooks& hooks = {});

// Two models of the same columns side by side: which component of one is which of the other, and
// where they differ. For a planted model and its fit, two seeds, two waves of a survey.
//
// The distance of two components is the mean over features of the Hellinger distance between their
// distributions of a cell: 0 the same, 1 nothing in common. Levels and words: exact,
// sqrt(1 - sum_r sqrt(p_r q_r)). Numbers: that of two normals with the same means and variances.
// The components are paired so that the sum of the distances is least (Hungarian method).

/// One feature under the two components of a pair.
struct ComparedFeature {
  std::string feature;
  std::string level;          ///< the level or word that differs most; empty for numbers
  double a = 0, b = 0;        ///< its probability, or the mean
  double sd_a = 0, sd_b = 0;  ///< numbers only: standard deviations
  double distance = 0;        ///< Hellinger, of the whole feature
};

struct ComparedPair {
  std::size_t a = 0, b = 0;              ///< components, from 0
  double distance = 0;                   ///< mean over features
  std::vector<ComparedFeature> largest;  ///< the features that differ most, most first
};

struct Comparison {
  std::vector<ComparedPair> pairs;          ///< in the order of the first model's components
  std::vector<std::size_t> only_a, only_b;  ///< components without a partner
  double distance = 0;                      ///< mean over the pairs
  std::size_t features = 0;                 ///< compared
  std::vector<std::string> left_out;        ///< features of one model only
};

/// `top`: how many differing features to list per pair (words count as one each). Throws InputError
/// if the models have no feature in common.
[[nodiscard]] Comparison compare(const Model& a, const Model& b, std::size_t top = 5);

/// How far two models say the same of the same rows.
struct MembershipAgreement {
  std::size_t rows = 0;
  /// Mean over rows of sum over pairs of the smaller of the two shares: 1 the same, 0 nothing in
  /// common. The shares of components without a partner agree with nothing.
  double overlap = 0;
  double same_top = 0;              ///< rows whose largest components are partners
  std::vector<double> correlation;  ///< per pair, of the shares over rows; 0 if one is constant
};

/// The memberships (evaluate.hpp) of the same rows under the two models.
[[nodiscard]] MembershipAgreement membership_agreement(const Comparison& comparison,
                                                       const Memberships& a, const Memberships& b);

/// The comparison for people.
[[nodiscard]] std::string describe(const Comparison& comparison, const Model& a, const Model& b);
[[nodiscard]] std::string describe(const MembershipAgreement& agreement,
                                   const Comparison& comparison, const Model& a, const Model& b);

// Which components occur together in rows, beyond their sizes.
//
// With correlated membership: the cosines of the components' locations, which a fit ends with
// setting to the covariance of the logarithms of rows' weights. With any other: over the
// rows of a data set, the correlations of log(m t_k + 1/2) less its mean over components, where t_k
// is the row's membership and m its size. Either way only differences between components tell:
// somewhere a correlation above 0 has one below 0 against it, even where all are independent
// (about -1/(K - 1)).

struct ComponentCorrelations {
  std::size_t components = 0;
  std::vector<double> matrix;  ///< K x K, 1 on the diagonal; 0 where a component never varies
  std::string basis;           ///< where they come from, in words
};

/// From the model alone. Throws InputError if its membership has no locations.
[[nodiscard]] ComponentCorrelations component_correlations(const Model& model);
/// From the memberships of rows; rows with nothing observed are left out.
[[nodiscard]] ComponentCorrelations component_correlations(const Model& model, const Dataset& data,
                                                           std::size_t threads = 0,
                                                           const Hooks& hooks = {});

// Is a model any good? Quality: are its topics coherent and its profiles different from each other.
// Absolute fit: could the data have come from this model at all, and where not.

/// One topic by its top words (those likeliest in it), in the documents of some data:
///
///   UMass        mean over pairs of log((D(v, w) + 1) / D(v)), v the likelier word (Mimno 2011)
///   NPMI         mean over pairs of log(p(v, w) / (p(v) p(w))) / -log p(v, w); -1 for two words
///                that never meet, 1 for two that are in every document
///   exclusivity  mean over the words of p(w | topic) / sum over topics of p(w | topic)
///
/// D counts documents that hold the word, or both (a row weight counts as that many), and
/// p = D / documents. Words that are in no document are left out of the pairs.
struct TopicScores {
  std::vector<std::string> words;  ///< likeliest first
  double umass = 0, npmi = 0;      ///< 0 if there is no pair
  double exclusivity = 0;          ///< 1 if there is one topic
  std::size_t pairs = 0;           ///< of words that occur
  std::size_t absent = 0;          ///< words that are in no document
};

/// The topics of one block of words.
struct TopicTable {
  std::string block;
  double documents = 0;                   ///< with at least one word, weighted
  std::vector<TopicScores> topic;         ///< per component
  double umass = 0, npmi = 0;             ///< mean over the topics that have pairs; else 0
  std::size_t scored = 0;                 ///< topics that have pairs
  double exclusivity = 0, diversity = 0;  ///< mean; different words among all top words, a share
};

/// One component beside the others.
struct ProfileScores {
  double size = 0;          ///< share of all memberships of the rows
  double top_of_rows = 0;   ///< share of the rows whose largest component it is
  std::size_t nearest = 0;  ///< the closest other component, from 0; itself if there is no other
  double distance = 0;      ///< to it: mean Hellinger distance over the features (compare.hpp)
};

/// Two components that a typical row hardly tells apart.
struct NearCopies {
  std::size_t a = 0, b = 0;  ///< components, from 0
  double distance = 0;       ///< as in ProfileScores
  /// Of the two distributions of a row with the usual cells: the product over its cells of
  /// 1 - H^2, H the Hellinger distance of the feature. 1: the same; at least 1/2 here.
  double overlap = 0;
};

struct Quality {
  std::size_t rows = 0;  ///< with something observed
  std::vector<ProfileScores> profile;
  double effective_profiles = 0;  ///< exp(entropy of the sizes): K if all are equally large
  double profiles_per_row = 0;    ///< exp(mean entropy of the rows' memberships)
  std::size_t smallest = 0;       ///< component, from 0
  std::vector<NearCopies> copies;
  std::vector<TopicTable> topics;  ///< one per block of words
};

struct QualityOptions {
  std::size_t top = 10;  ///< words per topic
  std::size_t threads = 0;
};

/// Sizes and memberships are those of the data, not of the training rows.
[[nodiscard]] Quality quality(const Model& model, const Dataset& data,
                              const QualityOptions& options, const Hooks& hooks = {});

/// A row of answers, how often it occurs and how often it should.
struct AnswerPattern {
  std::vector<std::string> levels;  ///< in the order of PatternFit::features
  double observed = 0;              ///< rows, weighted
  double expected = 0;              ///< n p(pattern)
  double expected_error = 0;        ///< standard error of that if it was sampled
  double residual = 0;              ///< (observed - expected) / sqrt(expected)
};

/// The frequent patterns of all features that have levels. Rows that lack an answer are left out,
/// and what else the model describes is ignored.
struct PatternFit {
  std::vector<std::string> features;
  double rows = 0;             ///< n: complete rows, weighted
  std::size_t incomplete = 0;  ///< rows left out
  std::size_t distinct = 0;    ///< patterns that occur
  double least_count = 0;      ///< patterns that occur less often are not listed
  Estimator estimator = Estimator::exact;
  std::vector<AnswerPattern> pattern;           ///< most frequent first
  double sum_absolute = 0, sum_squares = 0;     ///< of the residuals
  std::size_t worst = 0;                        ///< index of the largest |residual|
  double rest_observed = 0, rest_expected = 0;  ///< all other patterns together
};

/// Below, "beyond chance" keeps the false discovery rate at 5 %: of what is marked one in twenty
/// may be chance, and if nothing is wrong nothing is marked in 19 of 20 data sets.

/// Two features with levels: their two-way table against the model's, memberships integrated out.
/// Rows where both are observed. Cells that expect less than 5 rows are taken together.
struct LevelPair {
  std::string a, b;
  double rows = 0;      ///< weighted
  double residual = 0;  ///< Pearson's X^2 / ((R - 1)(S - 1)) for R and S levels; about 1 by chance
  bool beyond_chance = false;         ///< by a chi-square test of X^2
  std::string level_a, level_b;       ///< the cell that is furthest off
  double observed = 0, expected = 0;  ///< rows in it
};

/// Two numbers, or a number and an answer (1 where it was given, else 0).
struct NumberPair {
  std::string a, b;
  std::string level;  ///< of b: the answer that is furthest off; empty for two numbers
  double rows = 0;    ///< where both are observed, weighted
  double observed = 0, expected = 0;  ///< correlations
  double standard_error = 0;          ///< of the observed one
  bool beyond_chance = false;
};

/// What goes together in the data more or less than in the model.
struct PairFit {
  std::vector<LevelPair> levels;                  ///< the worst: least likely by chance first
  std::vector<NumberPair> numbers;                ///< the same
  std::size_t level_pairs = 0, number_pairs = 0;  ///< looked at
  std::size_t level_pairs_beyond = 0, number_pairs_beyond = 0;  ///< beyond chance
  std::size_t features = 0, features_left_out = 0;  ///< the least observed, to bound the work
};

/// A figure of the data beside the same figure of data sets drawn from the model.
struct PredictiveCheck {
  enum class Figure { mean, variance, zero_share, absent_share, count_variance };
  Figure figure = Figure::mean;
  std::string feature;  ///< the column, or the block of words
  std::string word;     ///< words only
  double observed = 0;
  double mean = 0, low = 0, high = 0;  ///< of the replicates; 90 % lie between low and high
  double p = 1;  ///< two-sided: 2 min(share <= observed, share >= observed), both counting the data
  bool beyond_chance = false;  ///< outside all replicates, and by its standard deviations
};

struct PredictiveFit {
  std::vector<PredictiveCheck> check;  ///< furthest off first
  std::size_t replicates = 0;
  std::size_t rows = 0, rows_left_out = 0;  ///< every so-manieth row is used, to bound the work
};

struct AbsoluteFit {
  PatternFit patterns;
  PairFit pairs;
  PredictiveFit checks;
  std::vector<std::string> notes;  ///< in words: what could not be looked at, and why
};

struct AbsoluteFitOptions {
  double least_count = 0;        ///< of a pattern; 0: at least 5, and so that about 25 are listed
  std::size_t top = 10;          ///< pairs listed; words of a topic that are checked
  std::size_t replicates = 100;  ///< data sets drawn for the checks
  std::size_t samples = 0;       ///< draws per pattern that cannot be exact; 0: 1000
  std::uint64_t seed = 1;
  std::size_t threads = 0;
};

/// Throws InputError under block weights: they make the likelihood that of no distribution.
[[nodiscard]] AbsoluteFit absolute_fit(const Model& model, const Dataset& data,
                                       const AbsoluteFitOptions& options, const Hooks& hooks = {});

/// For people.
[[nodiscard]] std::string describe(const Quality& quality, const Model& model);
[[nodiscard]] std::string describe(const AbsoluteFit& fit, std::size_t top = 10);
/// "more zeros than the model expects"
[[nodiscard]] std::string in_words(const PredictiveCheck& check);

}  // namespace medley
