// SPDX-License-Identifier: Apache-2.0
#include "data/text/stop_words.hpp"

#include <algorithm>
#include <filesystem>
#include <string_view>
#include <system_error>

#include "core/files.hpp"
#include "core/memory_guard.hpp"
#include "core/problems.hpp"
#include "core/text.hpp"
#include "data/formats/text_lines.hpp"
#include "data/text/stop_lists.hpp"

namespace medley::data {
namespace {

void add_file(const std::string& path, std::size_t memory_limit, std::vector<std::string>& words) {
  const std::unique_ptr<core::ByteSource> source = core::ByteSource::open(path);
  core::Problems problems;
  core::MemoryGuard memory(memory_limit, source->name());
  TextLines lines(*source, memory_limit);
  std::string_view line;
  while (lines.next(line)) {
    if (!check_text_line(line, problems, lines)) continue;
    const std::string_view word = core::trimmed(line);
    if (word.empty()) continue;
    memory.add(sizeof(std::string) + word.size());
    words.emplace_back(word);
  }
  problems.throw_if_any();
}

}  // namespace

std::vector<std::string> stop_words(const std::vector<std::string>& lists,
                                    std::size_t memory_limit) {
  std::vector<std::string> words;
  for (const std::string& list : lists) {
    std::error_code unreadable;
    const auto built_in = std::ranges::find(stop_lists(), list, &StopList::name);
    if (built_in != stop_lists().end()) {
      words.insert(words.end(), built_in->words.begin(), built_in->words.end());
    } else if (std::filesystem::exists(list, unreadable)) {
      add_file(list, memory_limit, words);
    } else {
      std::string names;
      for (const StopList& known : stop_lists()) names += (names.empty() ? "" : ", ") + known.name;
      throw InputError(
          {core::setting("stop_words", list), "there is no built-in list and no file of this name",
           "built in: " + names + "; for another language give a file with one word per line"});
    }
  }
  return words;
}

}  // namespace medley::data
