// SPDX-License-Identifier: Apache-2.0
// Which words, tags or options of a column make up its vocabulary.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "data/text/entries.hpp"

namespace medley::data {

struct ChosenVocabulary {
  std::vector<std::string> words;           ///< bytewise order
  std::size_t documents = 0;                ///< rows with an observed cell
  double entries = 0;                       ///< all entries of these rows, with repetitions
  std::size_t rare = 0;                     ///< different entries in fewer than min_count documents
  std::size_t common = 0;                   ///< in more than max_share of the documents
  std::size_t stopped = 0;                  ///< stop words
  std::vector<std::string> set_aside = {};  ///< the common ones and the stop words, bytewise order
  std::string language = {};  ///< of the stop words, if they were chosen by it; else empty
};

/// In how many documents a word may be at most. Without --max-share: of running text half of them,
/// unless the documents are few or that would be a quarter of the words, which then are what the
/// documents are about. `in`: per word that is otherwise kept, how many documents hold it.
[[nodiscard]] double most_documents(const std::vector<std::size_t>& in, std::size_t documents,
                                    CellText cells, const VocabularyOptions& options);

/// `uses`: rows per distinct text of the bags. Stop words, stems and case matter to running text
/// only: a word whose stem is that of a stop word is one, so that reading the next file needs the
/// vocabulary alone. Options of a set are all kept. Throws InputError for lists of stop words that
/// cannot be read.
[[nodiscard]] ChosenVocabulary choose_vocabulary(const EntryBags& bags,
                                                 const std::vector<std::size_t>& uses,
                                                 CellText cells, const VocabularyOptions& options,
                                                 std::size_t memory_limit);

}  // namespace medley::data
