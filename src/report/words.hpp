// SPDX-License-Identifier: Apache-2.0
// The words of a topic, ranked in three ways:
//
//   probability   p(word | topic)
//   lift          p(word | topic) / p(word), among words seen often enough
//   FREX          harmonic mean of the word's rank by probability and its rank by exclusivity,
//                 p(word | topic) / sum_j p(word | topic j), both as shares of the vocabulary
//                 (Bischof and Airoldi, 2012, with equal weights)
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "model/model.hpp"

namespace medley::report {

/// Words are ranked by lift only if at least this many of their occurrences belong to the topic,
/// and if they are at least this share of it; otherwise the list would be names that occur in one
/// document.
inline constexpr double kEnoughOccurrences = 5;
inline constexpr double kEnoughShare = 0.0005;

/// Slots, best word first.
struct TopWords {
  std::vector<std::size_t> probable, lifted, frex;
};

/// Ranks the words of one block; holds what all topics share.
class WordRanking {
 public:
  explicit WordRanking(const model::ModelBlock& block);
  [[nodiscard]] TopWords of(std::size_t component, double size, std::size_t top) const;

 private:
  const model::ModelBlock& block_;
  std::vector<double> over_topics_;  ///< per slot: sum_j p(word | topic j)
  double tokens_ = 0;                ///< tokens of the training data
};

// Words of a topic by relevance (Sievert and Shirley, 2014): a slider from words frequent in the
// topic to words peculiar to it,
//
//   relevance(w, k | lambda) = lambda log p(w | k) + (1 - lambda) log(p(w | k) / p(w))
//
// with p(w) the share of the word in the training data. Words that do not occur there are left out.
// Except at lambda = 1, words with fewer than kEnoughOccurrences expected occurrences in the topic
// come after all others, because accidental words would fill the peculiar end of the slider.

/// Positions of the slider: lambda = 0, 0.1, ..., 1.
inline constexpr std::size_t kLambdaStops = 11;

/// The `top` most relevant slots of a component at every stop, best first; equal ones in the order
/// of the vocabulary. `size` is the component's share of all memberships.
[[nodiscard]] std::vector<std::vector<std::uint32_t>> most_relevant(const model::ModelBlock& block,
                                                                    std::size_t component,
                                                                    double size, std::size_t top);

}  // namespace medley::report
