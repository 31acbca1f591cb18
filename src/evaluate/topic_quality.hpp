// SPDX-License-Identifier: Apache-2.0
// How good the topics of a block of words are to read, judged by their top words in documents:
//
//   UMass        mean over pairs i < j of log((D(w_i, w_j) + 1) / D(w_i)), w_i the likelier word
//   NPMI         mean over pairs of log(p_ij / (p_i p_j)) / -log p_ij; -1 for words that never meet
//   exclusivity  mean over words of p(w | topic) / sum over topics of p(w | topic)
//   diversity    share of different words among the top words of all topics
//
// D counts documents that hold the word (or both), p = D / documents. A pair that is in every
// document has NPMI 1. Words in no document are left out.
#pragma once

#include <cstddef>
#include <vector>

#include "medley/dataset.hpp"

namespace medley::evaluation {

struct TopicScores {
  double umass = 0, npmi = 0, exclusivity = 0;
};

struct BlockTopics {
  std::vector<TopicScores> topic;  ///< per component
  double diversity = 0;
};

/// `probability` is slots x components (row-major); `documents` a block of words with these slots.
[[nodiscard]] BlockTopics topic_quality(const std::vector<double>& probability,
                                        std::size_t components, const Block& documents,
                                        std::size_t top);

}  // namespace medley::evaluation
