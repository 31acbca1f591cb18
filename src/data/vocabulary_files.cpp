// SPDX-License-Identifier: Apache-2.0
#include "data/vocabulary_files.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <string_view>
#include <system_error>
#include <vector>

#include "core/files.hpp"
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

namespace {

namespace fs = std::filesystem;

// docs.ldac.gz -> docs; a name without an ending stays as it is.
std::string stem_of(const fs::path& path) {
  fs::path name = path.filename();
  if (name.extension() == ".gz" || name.extension() == ".zst") name = name.stem();
  return name.stem().string();
}

// Names a word list may have beside the file, best first.
std::vector<std::string> usual_names(const fs::path& path, Format format) {
  const std::string stem = stem_of(path);
  std::vector<std::string> names = {stem + "_vocab.txt"};
  constexpr std::string_view kDocword = "docword";
  if (format == Format::ldac) names.emplace_back("vocab.txt");
  if (format == Format::docword && stem.starts_with(kDocword)) {
    names.push_back("vocab" + stem.substr(kDocword.size()) + ".txt");
  }
  return names;
}

std::string vocabulary_file(const Source& source, Format format, const ReadOptions& options) {
  for (const std::string& key : {source.name, std::string()}) {
    const auto given = options.vocabulary.find(key);
    if (given != options.vocabulary.end()) return given->second;
  }
  if (source.path == "-") return {};
  const fs::path path(source.path);
  for (const std::string& name : usual_names(path, format)) {
    const fs::path beside = path.parent_path() / name;
    std::error_code unreadable;
    if (beside != path && fs::is_regular_file(beside, unreadable)) return beside.string();
  }
  return {};
}

// "0", "1", ... or "1", "2", ...: the words of a file that had no word list.
bool are_ids(const std::vector<std::string>& words) {
  if (words.empty() || (words.front() != "0" && words.front() != "1")) return false;
  std::size_t next = words.front() == "0" ? 0 : 1;
  return std::all_of(words.begin(), words.end(),
                     [&](const std::string& word) { return word == std::to_string(next++); });
}

}  // namespace

std::optional<Vocabulary> find_vocabulary(const Source& source, Format format,
                                          const ReadOptions& options) {
  const std::string file = vocabulary_file(source, format, options);
  if (file.empty()) return std::nullopt;
  return read_vocabulary(*core::ByteSource::open(file), options.memory_limit);
}

void name_words_by_schema(RawCounts& counts, const std::vector<std::string>& vocabulary) {
  if (are_ids(vocabulary)) return;
  for (std::size_t i = 0; i < counts.vocabulary.size(); ++i) {
    // A line break is in no word, so ids past the vocabulary stay unknown.
    counts.vocabulary[i] = i < vocabulary.size() ? vocabulary[i] : '\n' + counts.vocabulary[i];
  }
}

}  // namespace medley::data
