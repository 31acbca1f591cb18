// SPDX-License-Identifier: Apache-2.0
// A word list: one word per line, word id = line number from 0. UTF-8, trimmed; blank lines are an
// error except at the end; a word given twice is an error.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "core/files.hpp"

namespace medley::data {

struct Vocabulary {
  std::string file;  ///< for messages
  std::vector<std::string> words;
};

/// `memory_limit` in bytes, 0: none.
[[nodiscard]] Vocabulary read_vocabulary(core::ByteSource& source, std::size_t memory_limit = 0);

}  // namespace medley::data
