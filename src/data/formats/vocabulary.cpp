// SPDX-License-Identifier: Apache-2.0
#include "data/formats/vocabulary.hpp"

#include <fmt/format.h>

#include "core/memory_guard.hpp"
#include "core/problems.hpp"
#include "core/text.hpp"
#include "data/formats/dictionary.hpp"
#include "data/formats/numbers.hpp"
#include "data/formats/text_lines.hpp"

namespace medley::data {

Vocabulary read_vocabulary(core::ByteSource& source, std::size_t memory_limit) {
  core::Problems problems;
  core::MemoryGuard memory(memory_limit, source.name());
  TextLines lines(source, memory_limit);
  Dictionary words;
  std::vector<std::uint64_t> line_of;  // per word; differs from the id only in a broken file
  std::uint64_t blank = 0;             // first of the blank lines just before this one
  std::string_view line;
  while (lines.next(line)) {
    if (!check_text_line(line, problems, lines)) continue;
    const std::string_view word = core::trimmed(line);
    if (word.empty()) {
      if (blank == 0) blank = lines.number();
      continue;
    }
    if (blank != 0) {
      problems.add(lines.where(blank), "a blank line where a word is expected",
                   "the line number is the word's id: write the word there");
      blank = 0;
    }
    if (const std::uint32_t known = words.find(word); known != kMissingCode) {
      problems.add(
          lines.where(),
          fmt::format("the word {} is already on line {}", core::quoted(word), line_of[known]),
          "every word may be listed once");
      continue;
    }
    memory.add(Dictionary::cost(word) + sizeof(std::uint64_t));
    words.add(word);
    line_of.push_back(lines.number());
    if (words.size() > kMaxIndex)
      throw InputError({source.name(), "has more than 2147483648 words", ""});
  }
  problems.throw_if_any();
  if (words.size() == 0) refuse_empty(source.name());
  return {source.name(), words.take()};
}

}  // namespace medley::data
