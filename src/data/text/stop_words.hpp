// SPDX-License-Identifier: Apache-2.0
// Words too common to say what a text is about: a built-in list, or one's own from a file.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace medley::data {

/// The words of all lists. A list is the name of a built-in one ("english") or a file with a word
/// per line; blank lines are skipped. Throws InputError if it is neither. `memory_limit` in bytes,
/// 0: none.
[[nodiscard]] std::vector<std::string> stop_words(const std::vector<std::string>& lists,
                                                  std::size_t memory_limit);

}  // namespace medley::data
