// SPDX-License-Identifier: Apache-2.0
// Is a model any good? Quality: are its topics coherent and its profiles different from each other.
// Absolute fit: could the data have come from this model at all, and where not.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "medley/dataset.hpp"
#include "medley/evaluate.hpp"
#include "medley/hooks.hpp"
#include "medley/model.hpp"

namespace medley {

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
