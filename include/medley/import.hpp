// SPDX-License-Identifier: Apache-2.0
// Topics found by another program as a model of ours, so that they can be read, applied and scored
// by the same code.
#pragma once

#include <string>
#include <vector>

#include "medley/dataset.hpp"
#include "medley/hooks.hpp"
#include "medley/model.hpp"
#include "medley/read.hpp"

namespace medley {

/// Weights of words in topics, of any scale: probabilities, counts, variational parameters.
struct Topics {
  std::vector<std::string> words;           ///< V, all different
  std::vector<std::vector<double>> weight;  ///< K x V, none negative, some positive in each topic
};

/// Reads a table of topics: one line per topic and a heading of words, or one line per word with
/// the word in the first column, which is then headed word, term or token. A first column headed
/// topic, index or nothing is passed over. Throws InputError listing every problem found.
[[nodiscard]] Topics read_topics(const std::string& path);

struct ImportOptions {
  std::vector<double> alpha;  ///< K values, or one for all; empty: 1 / K
  bool fit_alpha = false;     ///< to the corpus, from there; the topics stay as they are
  std::size_t threads = 0;
};

/// How a corpus must be read to go with the topics.
[[nodiscard]] Schema schema_of(const Topics& topics);

/// The topics as an LDA model; weight is normalised, and a word without weight gets next to none.
/// `corpus` (read with schema_of) is what the topics were learnt from: it gives the baseline, the
/// sizes of the topics and, if wanted, alpha. Without it the baseline is the average topic.
[[nodiscard]] Model import_topics(const Topics& topics, const ImportOptions& options,
                                  const Dataset* corpus = nullptr, const Hooks& hooks = {});

}  // namespace medley
