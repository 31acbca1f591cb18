// SPDX-License-Identifier: Apache-2.0
#include "data/memory.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <iterator>
#include <optional>
#include <string_view>
#include <unordered_set>

#include "core/problems.hpp"
#include "core/task.hpp"
#include "core/text.hpp"
#include "data/formats/dictionary.hpp"
#include "data/formats/numbers.hpp"
#include "data/message_text.hpp"
#include "medley/error.hpp"

namespace medley::data {
namespace {

// Distinct texts and the code of each cell.
struct CodedTexts {
  std::vector<std::string> distinct;
  std::vector<std::uint32_t> code;
};

// Each text trimmed, under the number of the first one that is the same; kMissingCode: missing.
std::vector<std::uint32_t> merge_texts(std::vector<std::string>& distinct,
                                       const IsMissing& is_missing) {
  Dictionary texts;
  std::vector<std::uint32_t> place;
  place.reserve(distinct.size());
  for (const std::string& text : distinct) {
    const std::string_view cell = core::trimmed(text);
    std::uint32_t code = texts.find(cell);
    if (code == kMissingCode && !cell.empty() && !is_missing(cell)) code = texts.add(cell);
    place.push_back(code);
  }
  distinct = texts.take();
  return place;
}

// Numbers texts by first appearance; those that no cell has go.
CodedTexts in_order_of_rows(std::vector<std::string> distinct, std::vector<std::uint32_t> code,
                            const std::vector<std::uint32_t>& place) {
  std::vector<std::uint32_t> number(distinct.size(), kMissingCode);
  CodedTexts out;
  for (std::uint32_t& cell : code) {
    if (cell == kAbsent || place[cell] == kMissingCode) {
      cell = kMissingCode;
      continue;
    }
    std::uint32_t& now = number[place[cell]];
    if (now == kMissingCode) {
      now = static_cast<std::uint32_t>(out.distinct.size());
      out.distinct.push_back(std::move(distinct[place[cell]]));
    }
    cell = now;
  }
  out.code = std::move(code);
  return out;
}

CodedTexts code_texts(TextColumn cells, bool keep_order, const IsMissing& is_missing) {
  const std::vector<std::uint32_t> place = merge_texts(cells.distinct, is_missing);
  if (!keep_order) return in_order_of_rows(std::move(cells.distinct), std::move(cells.code), place);
  for (std::uint32_t& cell : cells.code) {
    if (cell != kAbsent) cell = place[cell];
  }
  return {std::move(cells.distinct), std::move(cells.code)};
}

GivenLevels given_levels(const TextColumn& cells) {
  if (cells.fixed) return GivenLevels::all;
  return cells.ordered ? GivenLevels::order : GivenLevels::none;
}

// The shortest text that reads back: 5, 0.1, 1e-07.
std::string text_of_number(double number) {
  constexpr double kExact = 1e15;
  if (number == std::trunc(number) && std::abs(number) < kExact)
    return std::to_string(integer_of<std::int64_t>(number));
  return fmt::format("{}", number);
}

// Gives different numbers consecutive codes: an open-addressing table, at most half full.
class NumberCodes {
 public:
  // The place of the number's code; kMissingCode there: it is new.
  std::uint32_t& operator[](double number) {
    if (2 * (used_ + 1) > slots_.size()) grow();
    Slot& slot = find(std::bit_cast<std::uint64_t>(number));
    if (!slot.taken) {
      slot = {std::bit_cast<std::uint64_t>(number), kMissingCode, true};
      ++used_;
    }
    return slot.code;
  }

 private:
  struct Slot {
    std::uint64_t bits = 0;
    std::uint32_t code = kMissingCode;
    bool taken = false;
  };

  Slot& find(std::uint64_t bits) {
    constexpr std::uint64_t kOddMultiplier = 0x9E3779B97F4A7C15;
    std::size_t at = (bits * kOddMultiplier) >> 32U;
    for (;; ++at) {
      Slot& slot = slots_[at & (slots_.size() - 1)];
      if (!slot.taken || slot.bits == bits) return slot;
    }
  }

  void grow() {
    std::vector<Slot> old(slots_.empty() ? 64 : 2 * slots_.size());
    old.swap(slots_);
    for (const Slot& slot : old) {
      if (slot.taken) find(slot.bits) = slot;
    }
  }

  std::vector<Slot> slots_;
  std::size_t used_ = 0;
};

CodedTexts code_numbers(NumberColumn cells, const IsMissing& is_missing,
                        std::vector<double>* numbers = nullptr) {
  CodedTexts out;
  out.code.reserve(cells.value.size());
  NumberCodes codes;
  for (const double number : cells.value) {
    if (std::isnan(number)) {
      out.code.push_back(kMissingCode);
      continue;
    }
    const double value = number == 0 ? 0 : number;  // -0 is 0
    std::uint32_t& code = codes[value];
    if (code == kMissingCode) {
      std::string text = text_of_number(value);
      if (!is_missing(text)) {
        code = static_cast<std::uint32_t>(out.distinct.size());
        out.distinct.push_back(std::move(text));
        if (numbers != nullptr) numbers->push_back(value);
      }
    }
    out.code.push_back(code);
  }
  return out;
}

// A list becomes its entries with the separator between them, as the readers of JSON do.
CodedTexts code_lists(ListColumn cells, const IsMissing& is_missing) {
  for (std::string& entry : cells.distinct) entry = core::trimmed(entry);
  CodedTexts out;
  Dictionary texts;
  std::string list;
  for (std::size_t row = 0; row + 1 < cells.start.size(); ++row) {
    list.clear();
    for (std::uint64_t i = cells.start[row]; i < cells.start[row + 1]; ++i) {
      if (cells.code[i] == kAbsent || cells.distinct[cells.code[i]].empty()) continue;
      if (!list.empty()) list += kListSeparator;
      list += cells.distinct[cells.code[i]];
    }
    if (list.empty()) list += kListSeparator;
    const bool missing = !cells.missing.empty() && cells.missing[row] != 0;
    std::uint32_t code = missing ? kMissingCode : texts.find(list);
    if (code == kMissingCode && !missing && !is_missing(list)) code = texts.add(list);
    out.code.push_back(code);
  }
  out.distinct = texts.take();
  return out;
}

// Levels that come with the data and mean "missing" are gone: whoever gave them ought to know.
void warn_of_lost_levels(const std::string& source, const MemoryColumn& column,
                         const IsMissing& is_missing, std::vector<std::string>& warnings) {
  const auto& cells = std::get<TextColumn>(column.cells);
  std::vector<std::string> lost;
  for (const std::string& text : cells.distinct) {
    if (const std::string_view cell = core::trimmed(text); cell.empty() || is_missing(cell))
      lost.emplace_back(cell);
  }
  if (!lost.empty())
    warnings.push_back(source + ": column " + core::quoted(column.name) + ": the level " +
                       listed(lost) + " is taken as missing");
}

RawColumn raw_column(MemoryColumn column, const std::string& source, const IsMissing& is_missing,
                     std::vector<std::string>& warnings) {
  RawColumn out;
  out.name = core::trimmed(column.name);
  out.title = std::move(column.title);
  out.value_labels = std::move(column.value_labels);
  CodedTexts cells;
  if (auto* texts = std::get_if<TextColumn>(&column.cells)) {
    out.given = given_levels(*texts);
    if (out.given != GivenLevels::none) {
      column.name = out.name;
      warn_of_lost_levels(source, column, is_missing, warnings);
    }
    cells = code_texts(std::move(*texts), out.given != GivenLevels::none, is_missing);
  } else if (auto* numbers = std::get_if<NumberColumn>(&column.cells)) {
    out.typed = true;
    cells = code_numbers(std::move(*numbers), is_missing, &out.number);
  } else {
    out.cells = CellText::tags;
    cells = code_lists(std::move(std::get<ListColumn>(column.cells)), is_missing);
  }
  out.distinct = std::move(cells.distinct);
  out.code = std::move(cells.code);
  return out;
}

// Words of every row ascending, each once, and no zeros.
void tidy_rows(RawCounts& counts) {
  std::vector<std::pair<std::uint32_t, float>> row;
  std::size_t to = 0;
  std::uint64_t from = 0;
  for (std::size_t r = 0; r + 1 < counts.row_start.size(); ++r) {
    row.clear();
    for (; from < counts.row_start[r + 1]; ++from) {
      if (counts.count[from] > 0) row.emplace_back(counts.word[from], counts.count[from]);
    }
    std::ranges::sort(row);  // equal words by their counts too: sums have one order
    const std::size_t begin = to;
    for (const auto& [word, count] : row) {
      if (to > begin && counts.word[to - 1] == word) {
        counts.count[to - 1] += count;
      } else {
        counts.word[to] = word;
        counts.count[to++] = count;
      }
    }
    counts.row_start[r + 1] = to;
  }
  counts.word.resize(to);
  counts.count.resize(to);
}

bool is_tidy(const RawCounts& counts) {
  if (std::ranges::any_of(counts.count, [](float count) { return !(count > 0); })) return false;
  for (std::size_t r = 0; r + 1 < counts.row_start.size(); ++r) {
    for (std::uint64_t i = counts.row_start[r] + 1; i < counts.row_start[r + 1]; ++i) {
      if (counts.word[i] <= counts.word[i - 1]) return false;
    }
  }
  return true;
}

RawCounts raw_counts(MemoryCounts from) {
  RawCounts counts;
  counts.row_start = std::move(from.row_start);
  counts.word = std::move(from.word);
  counts.count = std::move(from.count);
  counts.vocabulary = std::move(from.vocabulary);
  for (std::string& word : counts.vocabulary) {
    if (core::trimmed(word).size() != word.size()) word = std::string(core::trimmed(word));
  }
  if (!is_tidy(counts)) tidy_rows(counts);
  if (counts.vocabulary.empty() && !counts.word.empty()) {
    const std::uint32_t largest = *std::ranges::max_element(counts.word);
    for (std::uint32_t word = 0; word <= largest; ++word)
      counts.vocabulary.push_back(std::to_string(word));
  }
  counts.line.resize(counts.row_start.size() - 1);
  for (std::size_t row = 0; row < counts.line.size(); ++row) counts.line[row] = row + 1;
  return counts;
}

RawTriplets raw_triplets(MemoryTriplets from, const IsMissing& is_missing) {
  const IsMissing none = [](std::string_view) { return false; };
  RawTriplets triplets;
  CodedTexts rows = code_texts(std::move(from.row), false, none);
  CodedTexts items = code_texts(std::move(from.item), false, none);
  triplets.rows = std::move(rows.distinct);
  triplets.row = std::move(rows.code);
  triplets.items = std::move(items.distinct);
  triplets.item = std::move(items.code);
  CodedTexts values;
  if (auto* texts = std::get_if<TextColumn>(&from.value)) {
    triplets.given = given_levels(*texts);
    values = code_texts(std::move(*texts), triplets.given != GivenLevels::none, is_missing);
  } else {
    triplets.typed = true;
    values = code_numbers(std::move(std::get<NumberColumn>(from.value)), is_missing);
  }
  triplets.values = std::move(values.distinct);
  triplets.value = std::move(values.code);
  for (std::size_t i = 0; i < triplets.row.size(); ++i) triplets.line.push_back(i + 1);
  return triplets;
}

}  // namespace

RawSource raw_of_memory(MemorySource source, const IsMissing& is_missing,
                        std::vector<std::string>& warnings) {
  RawSource raw;
  raw.name = source.name;
  raw.path = source.name;
  raw.in_memory = true;
  if (auto* table = std::get_if<MemoryTable>(&source.content)) {
    RawTable out;
    for (MemoryColumn& column : table->columns)
      out.columns.push_back(raw_column(std::move(column), source.name, is_missing, warnings));
    out.line.resize(table->rows);
    for (std::size_t row = 0; row < out.line.size(); ++row) out.line[row] = row + 1;
    raw.content = std::move(out);
  } else if (auto* counts = std::get_if<MemoryCounts>(&source.content)) {
    raw.content = raw_counts(std::move(*counts));
  } else {
    raw.content = raw_triplets(std::move(std::get<MemoryTriplets>(source.content)), is_missing);
  }
  return raw;
}

// Is what was given as data in memory sound? Every size, offset and code is looked at before
// anything else uses it.

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
