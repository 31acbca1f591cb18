// SPDX-License-Identifier: Apache-2.0
// Which words, tags or options of a column make up its vocabulary.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "data/text/entries.hpp"

namespace medley::data {

struct ChosenVocabulary {
  std::vector<std::string> words;  ///< bytewise order
  std::size_t documents = 0;       ///< rows with an observed cell
  double entries = 0;              ///< all entries of these rows, with repetitions
  std::size_t rare = 0;            ///< different entries in fewer than min_count documents
  std::size_t common = 0;          ///< in more than max_share of the documents
  std::size_t stopped = 0;         ///< stop words
};

/// `uses`: rows per distinct text of the bags. Stop words, stems and case matter to running text
/// only: a word whose stem is that of a stop word is one, so that reading the next file needs the
/// vocabulary alone. Options of a set are all kept. Throws InputError for lists of stop words that
/// cannot be read.
[[nodiscard]] ChosenVocabulary choose_vocabulary(const EntryBags& bags,
                                                 const std::vector<std::size_t>& uses,
                                                 CellText cells, const VocabularyOptions& options,
                                                 std::size_t memory_limit);

}  // namespace medley::data
