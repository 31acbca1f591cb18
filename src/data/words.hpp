// SPDX-License-Identifier: Apache-2.0
// Where the words of a token source come from: --vocab, a word list beside the file, or the schema.
#pragma once

#include <optional>
#include <string>

#include "data/formats/vocabulary.hpp"
#include "data/raw.hpp"
#include "medley/io.hpp"

namespace medley::data {

/// The word list of a source: the one of `--vocab`; else, for X.ldac and the like, X_vocab.txt or
/// vocab.txt beside it; else, for docword.X.txt, the vocab.X.txt it comes with. None if there is
/// none.
[[nodiscard]] std::optional<Vocabulary> find_vocabulary(const Source& source, Format format,
                                                        const ReadOptions& options);

/// A file without a word list whose schema has words: its ids are places in the schema's
/// vocabulary.
void name_words_by_schema(RawCounts& counts, const std::vector<std::string>& vocabulary);

}  // namespace medley::data
