// SPDX-License-Identifier: Apache-2.0
// Stop words: words too common to say what a text is about. The lists of the languages, and files
// of one's own.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace medley::data {

// The built-in lists of stop words, a language each.

struct StopList {
  std::string name;                ///< the language in small letters: "english"
  std::vector<std::string> words;  ///< each once
};

/// In the order of their names.
[[nodiscard]] const std::vector<StopList>& stop_lists();

// Words too common to say what a text is about: a built-in list, or one's own from a file.

/// The words of all lists. A list is the name of a built-in one ("english") or a file with a word
/// per line; blank lines are skipped. Throws InputError if it is neither. `memory_limit` in bytes,
/// 0: none.
[[nodiscard]] std::vector<std::string> stop_words(const std::vector<std::string>& lists,
                                                  std::size_t memory_limit);

}  // namespace medley::data
