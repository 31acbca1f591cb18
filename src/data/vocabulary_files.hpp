// SPDX-License-Identifier: Apache-2.0
// Word lists: how such a file is read, and where the words of a source come from.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "core/files.hpp"
#include "data/raw.hpp"
#include "medley/io.hpp"

namespace medley::data {

// A word list: one word per line, word id = line number from 0. UTF-8, trimmed; blank lines are an
// error except at the end; a word given twice is an error.

struct Vocabulary {
  std::string file;  ///< for messages
  std::vector<std::string> words;
};

/// `memory_limit` in bytes, 0: none.
[[nodiscard]] Vocabulary read_vocabulary(core::ByteSource& source, std::size_t memory_limit = 0);

// Where the words of a token source come from: --vocab, a word list beside the file, or the schema.

/// The word list of a source: the one of `--vocab`; else, for X.ldac and the like, X_vocab.txt or
/// vocab.txt beside it; else, for docword.X.txt, the vocab.X.txt it comes with. None if there is
/// none.
[[nodiscard]] std::optional<Vocabulary> find_vocabulary(const Source& source, Format format,
                                                        const ReadOptions& options);

/// A file without a word list whose schema has words: its ids are places in the schema's
/// vocabulary.
void name_words_by_schema(RawCounts& counts, const std::vector<std::string>& vocabulary);

}  // namespace medley::data
