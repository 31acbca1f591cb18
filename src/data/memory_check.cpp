// SPDX-License-Identifier: Apache-2.0
// Is what was given as data in memory sound? Every size, offset and code is looked at before
// anything else uses it.
#include <cmath>
#include <unordered_set>

#include "core/task.hpp"

#include "core/problems.hpp"
#include "core/text.hpp"
#include "data/formats/numbers.hpp"
#include "data/memory.hpp"

namespace medley::data {
namespace {

constexpr const char* kToUtf8 = "convert the text to UTF-8, without null characters";

std::string entries_for(std::size_t found, std::size_t expected, const char* things) {
  return "has " + std::to_string(found) + " entries for " + std::to_string(expected) + ' ' + things;
}

class MemoryCheck {
 public:
  MemoryCheck(std::string source, core::Problems& problems)
      : source_(std::move(source)), problems_(problems) {}

  void operator()(const MemoryTable& table) {
    if (table.columns.empty()) object("", "has no columns", "give one at least");
    if (table.rows == 0) object("", "has no rows", "check that it is complete");
    std::unordered_set<std::string_view> names;
    for (std::size_t i = 0; i < table.columns.size(); ++i) {
      const MemoryColumn& column = table.columns[i];
      const std::string_view name = core::trimmed(column.name);
      if (name.empty()) {
        object("column " + std::to_string(i + 1), "has no name", "give each column a name");
      } else if (!names.insert(name).second) {
        object("", "two columns are named " + core::quoted(name),
               "give each column a name of its own");
      }
      column_ = "column " + core::quoted(name);
      unit_ = "row ";
      check_text(column.name, "the name");
      check_text(column.title, "the title");
      for (const auto& [value, meaning] : column.value_labels) {
        check_text(value, "a value label");
        check_text(meaning, "a value label");
      }
      std::visit([&](const auto& cells) { check_cells(cells, table.rows); }, column.cells);
    }
  }

  void operator()(const MemoryCounts& counts) {
    const std::size_t before = problems_.total();
    check_offsets(counts.row_start, counts.word.size(), "row_start");
    if (counts.row_start.size() == 1) object("", "has no rows", "check that it is complete");
    if (counts.count.size() != counts.word.size())
      object("count", entries_for(counts.count.size(), counts.word.size(), "words"));
    if (counts.vocabulary.size() > kMaxIndex) object("vocabulary", "has more than 2^31 words");
    check_vocabulary(counts.vocabulary);
    if (problems_.total() > before) return;
    const std::size_t words = counts.vocabulary.empty() ? kMaxIndex : counts.vocabulary.size();
    std::size_t row = 0;
    for (std::size_t i = 0; i < counts.word.size(); ++i) {
      while (counts.row_start[row + 1] <= i) ++row;
      const auto where = [&] { return "row " + std::to_string(row + 1); };
      if (counts.word[i] >= words)
        object(where(), "word " + std::to_string(counts.word[i]) + " of " + std::to_string(words),
               "words are numbered from 0");
      if (const std::string_view wrong = why_no_count(counts.count[i]); !wrong.empty())
        object(where(),
               "the count of word " + std::to_string(counts.word[i]) + ' ' + std::string(wrong));
    }
    if (counts.vocabulary.empty()) check_plausible_words(counts.word);
  }

  void operator()(const MemoryTriplets& triplets) {
    const std::size_t size = triplets.row.code.size();
    if (size == 0) object("", "has no triplets", "check that it is complete");
    if (size >= kMissingCode) object("", "has more than 4 billion triplets", "read a part of it");
    unit_ = "triplet ";
    column_ = "row";
    check_cells(triplets.row, size);
    check_present(triplets.row);
    column_ = "item";
    check_cells(triplets.item, size);
    check_present(triplets.item);
    column_ = "value";
    std::visit([&](const auto& values) { check_cells(values, size); }, triplets.value);
  }

 private:
  void object(const std::string& part, const std::string& what, const std::string& remedy = {}) {
    problems_.add(source_ + (part.empty() ? "" : ": " + part), what, remedy);
  }

  [[nodiscard]] std::string cell(std::size_t row) const {
    return unit_ + std::to_string(row + 1) + ": " + column_;
  }

  void check_text(const std::string& text, const std::string& what) {
    if (core::find_invalid_utf8(text) != std::string::npos)
      object(column_, what + ' ' + core::quoted(text) + " is not UTF-8", kToUtf8);
  }

  void check_distinct(const std::vector<std::string>& distinct) {
    if (distinct.size() >= kMissingCode - 1)
      object(column_, "has more than 4294967294 different values");
    for (const std::string& text : distinct) check_text(text, "the value");
  }

  void check_codes(const std::vector<std::uint32_t>& codes, std::size_t distinct) {
    const auto bad = [&](std::uint32_t code) { return code >= distinct && code != kAbsent; };
    for (std::size_t i = 0; i < codes.size(); ++i) {
      if (bad(codes[i]))
        object(cell(i), "code " + std::to_string(codes[i]) + " of " + std::to_string(distinct),
               "codes are numbered from 0; " + std::to_string(kAbsent) + " is missing");
    }
  }

  void check_cells(const TextColumn& cells, std::size_t rows) {
    if (cells.code.size() != rows)
      object(column_ + ": code", entries_for(cells.code.size(), rows, "rows"));
    check_distinct(cells.distinct);
    check_codes(cells.code, cells.distinct.size());
    if (!cells.ordered && !cells.fixed) return;
    std::unordered_set<std::string_view> levels;
    for (const std::string& text : cells.distinct) {
      if (!levels.insert(core::trimmed(text)).second)
        object(column_, "the level " + core::quoted(text) + " occurs twice",
               "blanks around a text do not count");
    }
  }

  void check_cells(const NumberColumn& cells, std::size_t rows) {
    if (cells.value.size() != rows)
      object(column_ + ": value", entries_for(cells.value.size(), rows, "rows"));
    for (std::size_t row = 0; row < cells.value.size(); ++row) {
      core::stop_if_asked();
      if (std::isinf(cells.value[row]))
        object(cell(row), "is infinite", "a missing number is NaN; leave out the row otherwise");
    }
  }

  void check_cells(const ListColumn& cells, std::size_t rows) {
    const std::size_t before = problems_.total();
    if (cells.start.size() != rows + 1)
      object(column_ + ": start", entries_for(cells.start.size(), rows, "rows"),
             "one more than rows");
    if (!cells.missing.empty() && cells.missing.size() != rows)
      object(column_ + ": missing", entries_for(cells.missing.size(), rows, "rows"),
             "one for each row, or none");
    check_offsets(cells.start, cells.code.size(), column_ + ": start");
    check_distinct(cells.distinct);
    for (const std::string& text : cells.distinct) {
      if (text.find(kListSeparator) != std::string::npos)
        object(column_, "the entry " + core::quoted(text) + " holds U+001F",
               "remove this control character");
    }
    if (problems_.total() > before) return;
    for (std::size_t row = 0; row < rows; ++row) {
      core::stop_if_asked();
      for (std::uint64_t i = cells.start[row]; i < cells.start[row + 1]; ++i) {
        if (cells.code[i] >= cells.distinct.size() && cells.code[i] != kAbsent)
          object(cell(row),
                 "code " + std::to_string(cells.code[i]) + " of " +
                     std::to_string(cells.distinct.size()),
                 "codes are numbered from 0");
      }
    }
  }

  void check_offsets(const std::vector<std::uint64_t>& start, std::size_t entries,
                     const std::string& part) {
    if (start.empty()) return object(part, "is empty", "it has one entry more than rows");
    if (start.front() != 0) object(part, "must begin with 0");
    bool falls = false;
    for (std::size_t i = 1; i < start.size(); ++i) falls = falls || start[i] < start[i - 1];
    if (falls) object(part, "must not fall");
    if (start.back() != entries)
      object(part, "ends with " + std::to_string(start.back()) + ", but there are " +
                       std::to_string(entries) + " entries");
  }

  // Rows and items of triplets have names.
  void check_present(const TextColumn& names) {
    const auto blank = [&](std::uint32_t code) {
      return code == kAbsent ||
             (code < names.distinct.size() && core::trimmed(names.distinct[code]).empty());
    };
    for (std::size_t i = 0; i < names.code.size(); ++i) {
      if (blank(names.code[i]))
        object(cell(i), "is empty, every triplet needs its row and its item",
               "fill it or drop the triplet");
    }
  }

  void check_vocabulary(const std::vector<std::string>& vocabulary) {
    column_ = "vocabulary";
    std::unordered_set<std::string_view> words;
    words.reserve(vocabulary.size());
    for (const std::string& word : vocabulary) {
      check_text(word, "the word");
      if (core::trimmed(word).empty()) {
        object(column_, "a word is empty", "name every word");
      } else if (!words.insert(core::trimmed(word)).second) {
        object(column_, "the word " + core::quoted(word) + " occurs twice",
               "every word may be there once");
      }
    }
  }

  static std::string_view why_no_count(float count) {
    if (!std::isfinite(count)) return "is not a number";
    if (count < 0) return "is negative, a count is not";
    if (static_cast<double>(count) > kMaxCount) return "is too large for a count";
    if (count > 0 && count < std::numeric_limits<float>::min()) return "is too small for a count";
    return {};
  }

  // Words without names: a number far beyond the counts is a slip, and would cost memory.
  void check_plausible_words(const std::vector<std::uint32_t>& words) {
    constexpr std::size_t kNeverDoubted = 1000000, kWordsPerCount = 100;
    std::uint32_t largest = 0;
    for (const std::uint32_t word : words) largest = std::max(largest, word);
    if (largest < kNeverDoubted || largest / kWordsPerCount < words.size()) return;
    object("word",
           "the number " + std::to_string(largest) + " occurs, but there are " +
               std::to_string(words.size()) + " counts",
           "give the vocabulary");
  }

  std::string source_;
  core::Problems& problems_;
  std::string column_ = {}, unit_ = "row ";
};

void check_options(const ReadOptions& options, core::Problems& problems) {
  const std::pair<const char*, bool> of_files[] = {
      {"format", options.format != Format::automatic || !options.format_of.empty()},
      {"encoding", !options.encoding.empty()},
      {"vocabulary", !options.vocabulary.empty()}};
  for (const auto& [option, given] : of_files) {
    if (given)
      problems.add(option, "is an option for files, and the data are in memory", "leave it out");
  }
}

}  // namespace

void check_memory(const std::vector<MemorySource>& sources, const ReadOptions& options) {
  core::Problems problems;
  if (sources.empty()) problems.add("", "no data are given", "give a table, counts or triplets");
  check_options(options, problems);
  std::unordered_set<std::string> names;
  for (const MemorySource& source : sources) {
    const std::string name = source.name.empty() ? "data" : source.name;
    if (source.name.empty() && sources.size() > 1)
      problems.add("sources", "one of several has no name", "give each source a name");
    else if (!names.insert(name).second)
      problems.add(name, "the name is taken", "give each source a name of its own");
    if (core::find_invalid_utf8(name) != std::string::npos)
      problems.add("sources", "the name " + core::quoted(name) + " is not UTF-8", kToUtf8);
    std::visit(MemoryCheck(name, problems), source.content);
  }
  problems.throw_if_any();
}

}  // namespace medley::data
