// SPDX-License-Identifier: Apache-2.0
// How good a model is: scores, cross-validation, the quality of topics and profiles, absolute fit,
// comparison with another model.
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

// Memberships and scores of rows under a fitted model. Each row is treated alone, from the
// documented start, in double precision: the result does not depend on the number of threads, nor,
// except for its last digits, on the other rows.

/// How the log-likelihood of a row is computed.
enum class Estimator {
  bound,          ///< the variational lower bound: never above the log-likelihood
  exact,          ///< the log-likelihood itself
  importance,     ///< estimated by drawing memberships
  left_to_right,  ///< estimated by drawing components, observation by observation
  completion      ///< not the whole row: a part of it given the rest
};
/// The name as in EvaluateOptions::estimator.
[[nodiscard]] std::string to_string(Estimator estimator);

/// The scores of one row.
struct RowScore {
  double observations = 0;     ///< observed cells or tokens
  double log_likelihood = 0;   ///< natural log, by the estimator of the Evaluation
  double sampling_error = 0;   ///< standard error of log_likelihood from sampling; else 0
  double effective_draws = 0;  ///< number of equal-weight draws of the same precision; 0: no draws
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
      {};  ///< says so if the model's own inference was too slow for these rows; else empty
  [[nodiscard]] std::size_t rows() const { return components == 0 ? 0 : share.size() / components; }
  [[nodiscard]] const double* row(std::size_t i) const { return share.data() + i * components; }
};

/// How the class that a cluster (top component) stands for is determined.
enum class Match {
  majority,  ///< its most frequent class, the first of equally frequent ones
  identity,  ///< component k stands for class k in the order of the class names; needs K >= classes
  hungarian  ///< one to one, such that the most rows are right
};
/// "majority", "identity" or "hungarian".
[[nodiscard]] std::string to_string(Match match);

/// The rows that determine it: the scored rows, or one part of the fold.
enum class MatchOn { scored, train, test };
/// "scored rows", "train" or "test".
[[nodiscard]] std::string to_string(MatchOn rows);

/// Agreement of hard clusters (top component) with a known grouping. Row weights are ignored.
struct TruthScores {
  std::string column;
  std::size_t rows = 0;           ///< rows whose class is known
  double micro_precision = 0;     ///< share of rows in the majority class of their cluster
  double mutual_information = 0;  ///< nats
  double nmi = 0;                 ///< mutual information over the mean of the two entropies
  /// Share of rows whose cluster stands for their class. A cluster that stands for no class is
  /// always wrong.
  double accuracy = 0;
  Match match = Match::majority;
  MatchOn matched_on = MatchOn::scored;
};

/// The score of one block alone, with the other blocks hidden; under completion, of the predicted
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
  std::string reason;  ///< why "auto" chose this estimator; else empty
  /// Some block weight is not 1: the score is a weighted likelihood, comparable only with scores
  /// under the same block weights.
  bool tempered = false;
  std::size_t rows = 0, empty_rows = 0;
  double observations = 0;        ///< cells or words, weighted
  Weighting weights = {};         ///< of the rows
  double log_likelihood = 0;      ///< sum over rows (weighted by row weights)
  double standard_error = 0;      ///< of log_likelihood, from the spread over rows
  double sampling_error = 0;      ///< the part of standard_error that comes from sampling
  double baseline = 0;            ///< sum under the column marginals of the training data
  double above_baseline = 0;      ///< the main score: nats per observation above the baseline
  double above_error = 0;         ///< its standard error, from the spread over rows
  double perplexity = 0;          ///< exp(-log_likelihood / observations)
  double log_row_perplexity = 0;  ///< -log_likelihood / rows: the log, because the number overflows
  double mean_entropy = 0;        ///< of memberships, nats
  /// Rows whose estimate rests on fewer than kFewDraws effective draws; do not trust its error
  /// there.
  std::size_t poorly_drawn = 0;
  std::vector<BlockScore> block;  ///< with several blocks only
  std::vector<RowScore> row;
  std::vector<TruthScores> truth;
  /// How well a model with a label predicts the classes of the data. If it cannot be computed for
  /// such a model, `label_note` gives the reason.
  std::optional<LabelScores> label;
  std::string label_note;
};

/// The limit for Evaluation::poorly_drawn.
inline constexpr double kFewDraws = 10;

/// How to score.
struct EvaluateOptions {
  /// "bound", "exact", "importance", "left-to-right", "completion", or "auto": exact if that takes
  /// less than about half a minute, else left-to-right if that takes less than some minutes, else
  /// importance. Under block weights: bound.
  std::string estimator = "auto";
  std::size_t samples = 0;  ///< draws per row; 0: 1000 memberships, or 200 particles left to right
  bool each_block = true;   ///< with several blocks, also score every block alone
  bool threefold = false;   ///< completion of each third of a row, else of one half
  std::uint64_t seed = 1;   ///< of the draws and of the parts
  std::vector<std::string> truth;  ///< kept columns to compare the clusters with
  Match match = Match::majority;   ///< for their accuracy; determined on the scored rows
  std::size_t threads = 0;
};

/// The membership of every row. A row with nothing observed gets the prior's mean.
[[nodiscard]] Memberships transform(const Model& model, const Dataset& data,
                                    std::size_t threads = 0, const Hooks& hooks = {});

/// Scores every row. Throws InputError if this model does not support the estimator.
[[nodiscard]] Evaluation evaluate(const Model& model, const Dataset& data,
                                  const EvaluateOptions& options, const Hooks& hooks = {});

/// Perplexity of five equal parts of the rows, from the lowest membership entropy to the highest
/// (figure 10 of the mixed-membership naive Bayes paper). Of the n rows with something observed,
/// part p has those from p n / 5 to (p + 1) n / 5, rounded down; rows of equal entropy keep their
/// order. NaN for a part without rows.
using Quintiles = std::array<double, 5>;
[[nodiscard]] Quintiles entropy_quintiles(const Evaluation& scores, const Dataset& data);

/// The training rows or the test rows of one fold. Where scores are drawn (left-to-right,
/// importance) the training side is that of the rows which the next fold tests, so that over the
/// folds every row is scored once on either side; truth and label are of all rows. Perplexities,
/// entropy and above_baseline are NaN if nothing is observed.
struct FoldSide {
  Estimator estimator = Estimator::bound;
  std::size_t rows = 0;
  std::size_t unseen = 0;  ///< cells with levels, words or items new to the model: count as missing
  double observations = 0;
  double perplexity = 0;
  double log_row_perplexity = 0;
  double log_likelihood = 0;  ///< sum over the rows
  double above_baseline = 0;  ///< nats per cell above the marginals of the training rows
  double mean_entropy = 0;    ///< of memberships, nats
  Quintiles entropy_quintile = {};
  std::vector<TruthScores> truth;
  /// For a learnt label. Rows of a class that no training row holds are wrong.
  std::optional<LabelScores> label = {};
};

/// The scores of one fold.
struct Fold {
  FoldSide train, test;
  bool converged = true;  ///< false: the fit reached the iteration limit
};

/// The scores of a row under the model that has not seen it (CrossValidateOptions::each_row).
struct HeldOutRow {
  std::size_t fold = 0;  ///< from 0
  RowScore score = {};
  /// Per class of the label, in the order of the data's schema; 0 for a class that the training
  /// rows lack. Empty without a label.
  std::vector<double> probability = {};
};

/// Mean and standard deviation (n - 1) of a score over the folds. NaN if no fold has the score.
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

/// How to split, fit and score.
struct CrossValidateOptions {
  std::size_t folds = 10;
  EvaluateOptions scoring;
  MatchOn match_on = MatchOn::train;  ///< one matching per fold, for both parts; `scored`: one each
  /// Chooses the words of text and tags among those of the training rows. Read the data with
  /// words.unselected().
  VocabularyOptions words;
  /// Replaces `fit`, for example by a function that chooses options. It sees only training rows.
  Fitter fitter = {};
  /// Set the label aside, and predict it from the memberships by logistic regression: the baseline
  /// for a label that takes part in the fit. The method of the scores is then "two-step".
  bool two_step = false;
  /// With a label: the folds have equal numbers of rows of each class, to within one.
  bool stratified = true;
  bool each_row = false;  ///< keep the scores of every test row
};

/// The scores of all folds.
struct CrossValidation {
  std::vector<Fold> folds;  ///< the finished folds, in order
  FoldScores train, test;
  Weighting weights = {};            ///< of all rows
  std::size_t rows = 0;              ///< of the data
  bool stratified = false;           ///< by the label
  std::vector<HeldOutRow> row = {};  ///< one per row of the data, if requested
  std::size_t not_converged = 0;     ///< folds whose fit reached the iteration limit
  bool interrupted = false;          ///< stopped by the hooks: some folds are missing
};

/// The fold of every row, 0 .. folds-1; sizes differ by at most one. It depends only on the number
/// of rows and the seed, so that every model and K gets the same folds.
[[nodiscard]] std::vector<std::size_t> fold_of_rows(std::size_t rows, std::size_t folds,
                                                    std::uint64_t seed);
/// The same, class by class: the folds have the same share of every class, to within a row. Rows
/// without a class, or with an unknown class, form a class of their own.
[[nodiscard]] std::vector<std::size_t> fold_of_rows(const KeptColumn& label, std::size_t folds,
                                                    std::uint64_t seed);

/// For every fold, fits on the other folds and scores both parts. The result is what `fit` on a
/// file of the training rows and `evaluate` on a file of the test rows would give. The training
/// rows alone determine levels, words, items, which columns vary, and everything learnt; cells of
/// the test rows that the training rows do not know count as missing. The reading of a column
/// (family, role) is that of the data. Sampling weights have mean 1 in each part. The seed of the
/// fit determines the folds. Several are fitted at a time if threads and memory allow, which does
/// not change the result. Checkpoints are not written.
[[nodiscard]] CrossValidation cross_validate(const Dataset& data, const FitOptions& fitting,
                                             const CrossValidateOptions& options,
                                             const Hooks& hooks = {});

// Comparison of two models with the same columns: which components match, and where they differ.
// For a planted model and its fit, two seeds, two waves of a survey.
//
// The distance of two components is the mean over features of the Hellinger distance between their
// distributions of a cell: 0 for equal, 1 for nothing in common. Levels and words: exact,
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

/// A component of each model.
struct ComparedPair {
  std::size_t a = 0, b = 0;              ///< components, from 0
  double distance = 0;                   ///< mean over features
  std::vector<ComparedFeature> largest;  ///< the features that differ most, largest distance first
};

/// The matched components of two models.
struct Comparison {
  std::vector<ComparedPair> pairs;          ///< in the order of the first model's components
  std::vector<std::size_t> only_a, only_b;  ///< components without a partner
  double distance = 0;                      ///< mean over the pairs
  std::size_t features = 0;                 ///< number compared
  std::vector<std::string> left_out;        ///< features of one model only
};

/// `top`: how many differing features to list per pair (words count as one each). Throws InputError
/// if the models have no feature in common.
[[nodiscard]] Comparison compare(const Model& a, const Model& b, std::size_t top = 5);

/// How far two models agree on the memberships of the same rows.
struct MembershipAgreement {
  std::size_t rows = 0;
  /// Mean over rows of the sum over pairs of the smaller of the two shares: 1 for equal, 0 for
  /// nothing in common. Components without a partner contribute 0.
  double overlap = 0;
  double same_top = 0;              ///< share of rows whose largest components are partners
  std::vector<double> correlation;  ///< per pair, of the shares over rows; 0 if one is constant
};

/// `a` and `b`: the memberships of the same rows under the two models.
[[nodiscard]] MembershipAgreement membership_agreement(const Comparison& comparison,
                                                       const Memberships& a, const Memberships& b);

/// The comparison as text.
[[nodiscard]] std::string describe(const Comparison& comparison, const Model& a, const Model& b);
[[nodiscard]] std::string describe(const MembershipAgreement& agreement,
                                   const Comparison& comparison, const Model& a, const Model& b);

// Which components occur together in rows, beyond their sizes.
//
// With correlated membership these are the cosines of the components' locations, which the fit sets
// at its end to the covariance of the logarithms of rows' weights. With any other membership they
// are the correlations over the rows of a data set of log(m t_k + 1/2) minus its mean over
// components, where t_k is the row's membership and m its size. Either way only differences between
// components are meaningful: every correlation above 0 has one below 0 as counterpart, even if all
// components are independent (about -1/(K - 1)).

/// Correlations between all components.
struct ComponentCorrelations {
  std::size_t components = 0;
  std::vector<double> matrix;  ///< K x K, 1 on the diagonal; 0 where a component never varies
  std::string basis;           ///< how they were computed, in words
};

/// From the model alone. Throws InputError if its membership has no locations.
[[nodiscard]] ComponentCorrelations component_correlations(const Model& model);
/// From the memberships of rows; rows with nothing observed are left out.
[[nodiscard]] ComponentCorrelations component_correlations(const Model& model, const Dataset& data,
                                                           std::size_t threads = 0,
                                                           const Hooks& hooks = {});

// Is the model any good? Quality: are the topics coherent and the profiles different? Absolute fit:
// could the data have come from this model at all, and if not, what differs?

/// One topic by its top words (the likeliest), in the documents of a data set:
///
///   UMass        mean over pairs of log((D(v, w) + 1) / D(v)), v the likelier word (Mimno 2011)
///   NPMI         mean over pairs of log(p(v, w) / (p(v) p(w))) / -log p(v, w); -1 for two words
///                that never occur together, 1 for two that are in every document
///   exclusivity  mean over the words of p(w | topic) / sum over topics of p(w | topic)
///
/// D counts the documents that hold the word, or both words (by row weight), and p = D / documents.
/// Words that are in no document are left out of the pairs.
struct TopicScores {
  std::vector<std::string> words;  ///< likeliest first
  double umass = 0, npmi = 0;      ///< 0 if there is no pair
  double exclusivity = 0;          ///< 1 if there is one topic
  std::size_t pairs = 0;           ///< pairs of words that occur
  std::size_t absent = 0;          ///< words that are in no document
};

/// The topics of one block of words.
struct TopicTable {
  std::string block;
  double documents = 0;                   ///< with at least one word, weighted
  std::vector<TopicScores> topic;         ///< per component
  double umass = 0, npmi = 0;             ///< mean over the topics that have pairs; else 0
  std::size_t scored = 0;                 ///< topics that have pairs
  double exclusivity = 0, diversity = 0;  ///< mean; share of different words among all top words
};

/// One component compared with the others.
struct ProfileScores {
  double size = 0;          ///< share of all memberships of the rows
  double top_of_rows = 0;   ///< share of the rows in which this component is the largest
  std::size_t nearest = 0;  ///< the closest other component, from 0; itself if there is no other
  double distance = 0;  ///< to `nearest`: mean Hellinger distance over features, as in compare()
};

/// Two components that a typical row can hardly tell apart.
struct NearCopies {
  std::size_t a = 0, b = 0;  ///< components, from 0
  double distance = 0;       ///< as in ProfileScores
  /// Overlap of the two distributions of a row with the usual cells: the product over its cells of
  /// 1 - H^2, H the Hellinger distance of the feature. 1 for equal components; at least 1/2 here.
  double overlap = 0;
};

/// The quality of the topics and profiles of a model on some rows.
struct Quality {
  std::size_t rows = 0;  ///< with something observed
  std::vector<ProfileScores> profile;
  double effective_profiles = 0;  ///< exp(entropy of the sizes): K if all are equally large
  double profiles_per_row = 0;    ///< exp(mean entropy of the rows' memberships)
  std::size_t smallest = 0;       ///< the smallest component, from 0
  std::vector<NearCopies> copies;
  std::vector<TopicTable> topics;  ///< one per block of words
};

/// How many words to score per topic.
struct QualityOptions {
  std::size_t top = 10;  ///< words per topic
  std::size_t threads = 0;
};

/// Sizes and memberships are those of the data, not of the training rows.
[[nodiscard]] Quality quality(const Model& model, const Dataset& data,
                              const QualityOptions& options, const Hooks& hooks = {});

/// A pattern of answers, with its observed and expected frequency.
struct AnswerPattern {
  std::vector<std::string> levels;  ///< in the order of PatternFit::features
  double observed = 0;              ///< rows, weighted
  double expected = 0;              ///< n p(pattern)
  double expected_error = 0;        ///< standard error of `expected` if it was sampled; else 0
  double residual = 0;              ///< (observed - expected) / sqrt(expected)
};

/// The frequent patterns of all features with levels. Rows with a missing answer are left out;
/// other features are ignored.
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

/// Below, "beyond chance" keeps the false discovery rate at 5 %: one in twenty marked entries may
/// be chance, and if the model is right, 19 of 20 data sets have no mark.

/// Two features with levels: their observed two-way table against the model's, memberships
/// integrated out. Over rows with both observed. Cells that expect less than 5 rows are pooled.
struct LevelPair {
  std::string a, b;
  double rows = 0;      ///< weighted
  double residual = 0;  ///< Pearson's X^2 / ((R - 1)(S - 1)) for R and S levels; about 1 by chance
  bool beyond_chance = false;         ///< by a chi-square test of X^2
  std::string level_a, level_b;       ///< the cell with the largest deviation
  double observed = 0, expected = 0;  ///< rows in that cell
};

/// Two numbers, or a number and an answer (coded 1 if given, else 0).
struct NumberPair {
  std::string a, b;
  std::string level;  ///< of b: the answer with the largest deviation; empty for two numbers
  double rows = 0;    ///< where both are observed, weighted
  double observed = 0, expected = 0;  ///< correlations
  double standard_error = 0;          ///< of the observed one
  bool beyond_chance = false;
};

/// Pairs of features that are more or less associated in the data than in the model.
struct PairFit {
  std::vector<LevelPair> levels;                  ///< the worst: least likely by chance first
  std::vector<NumberPair> numbers;                ///< the same
  std::size_t level_pairs = 0, number_pairs = 0;  ///< pairs examined
  std::size_t level_pairs_beyond = 0, number_pairs_beyond = 0;  ///< pairs beyond chance
  /// Features examined, and the least observed ones that were left out to bound the work.
  std::size_t features = 0, features_left_out = 0;
};

/// A statistic of the data, compared with that of data sets drawn from the model.
struct PredictiveCheck {
  enum class Figure { mean, variance, zero_share, absent_share, count_variance };
  Figure figure = Figure::mean;
  std::string feature;  ///< the column, or the block of words
  std::string word;     ///< words only
  double observed = 0;
  double mean = 0, low = 0, high = 0;  ///< of the replicates; 90 % lie between low and high
  double p = 1;  ///< two-sided: 2 min(share <= observed, share >= observed), both counting the data
  bool beyond_chance = false;  ///< outside all replicates, and by its distance in their deviations
};

/// All checks against drawn data.
struct PredictiveFit {
  std::vector<PredictiveCheck> check;  ///< furthest off first
  std::size_t replicates = 0;
  std::size_t rows = 0, rows_left_out = 0;  ///< with many rows only every n-th is used
};

/// The whole examination of absolute fit.
struct AbsoluteFit {
  PatternFit patterns;
  PairFit pairs;
  PredictiveFit checks;
  std::vector<std::string> notes;  ///< sentences: what could not be examined, and why
};

/// What to list, and how much to draw.
struct AbsoluteFitOptions {
  double least_count = 0;  ///< of a listed pattern; 0: at least 5, such that about 25 are listed
  std::size_t top = 10;    ///< number of pairs listed, and of words checked per topic
  std::size_t replicates = 100;  ///< data sets drawn for the checks
  std::size_t samples = 0;       ///< draws per pattern that has no exact value; 0: 1000
  std::uint64_t seed = 1;
  std::size_t threads = 0;
};

/// Throws InputError under block weights: a weighted likelihood belongs to no distribution.
[[nodiscard]] AbsoluteFit absolute_fit(const Model& model, const Dataset& data,
                                       const AbsoluteFitOptions& options, const Hooks& hooks = {});

/// The results as text.
[[nodiscard]] std::string describe(const Quality& quality, const Model& model);
[[nodiscard]] std::string describe(const AbsoluteFit& fit, std::size_t top = 10);
/// "more zeros than the model expects"
[[nodiscard]] std::string in_words(const PredictiveCheck& check);

}  // namespace medley
