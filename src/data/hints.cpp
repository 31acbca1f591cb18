// SPDX-License-Identifier: Apache-2.0
#include "data/hints.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/text.hpp"
#include "data/detect_columns.hpp"
#include "data/message_text.hpp"
#include "data/number.hpp"
#include "data/source_columns.hpp"
#include "data/text/entries.hpp"

namespace medley::data {
namespace {

constexpr std::size_t kOneByOne = 3;

// What to do is the same for columns that are told together, to the letter; how often something
// occurs need not be.
constexpr std::string_view kRemedy = "Put missing";

// The sentence without its numbers and the column's own name.
std::string kind_of_doubt(std::string_view says, const std::string& column) {
  const std::size_t remedy = std::min(says.find(kRemedy), says.size());
  const std::string name = shell_word(column);
  std::string out;
  for (std::size_t at = 0; at < says.size();) {
    if (!name.empty() && says.substr(at).starts_with(name)) {
      out += '\n';
      at += name.size();
    } else if (at < remedy && core::is_digit(says[at])) {
      const bool grouped = at + 2 < remedy && (says[at + 1] == ',' || says[at + 1] == '.') &&
                           core::is_digit(says[at + 2]);
      if (out.empty() || out.back() != '0') out += '0';
      at += grouped ? 2 : 1;
    } else {
      out += says[at++];
    }
  }
  return out;
}

}  // namespace

void ColumnWarnings::add(const std::string& path, const std::string& column, std::string says) {
  said_.push_back({path, column, std::move(says)});
}

std::vector<std::string> ColumnWarnings::lines() const {
  std::vector<std::vector<const Said*>> kinds;
  std::unordered_map<std::string, std::size_t> known;
  for (const Said& said : said_) {
    const auto [found, added] =
        known.try_emplace(said.path + '\n' + kind_of_doubt(said.says, said.column), kinds.size());
    if (added) kinds.emplace_back();
    kinds[found->second].push_back(&said);
  }
  std::vector<std::string> out;
  const auto line = [](const Said& said) {
    return said.path + ": column " + core::quoted(said.column) + said.says;
  };
  for (const std::vector<const Said*>& alike : kinds) {
    if (alike.size() <= kOneByOne) {
      for (const Said* said : alike) out.push_back(line(*said));
      continue;
    }
    std::vector<std::string> others;
    for (std::size_t i = 1; i < alike.size(); ++i) others.push_back(alike[i]->column);
    out.push_back(line(*alike.front()) + "; the same in " + counted(others.size(), "other column") +
                  ": " + listed(others));
  }
  return out;
}

namespace {

// The numbers of a column, as if there were nothing else in it.
ColumnSummary numbers_alone(const ColumnSummary& column) {
  ColumnSummary out;
  out.facts.numeric = out.facts.integer = true;
  for (const ObservedValue& value : column.values) {
    if (!value.number) continue;
    const double number = *value.number;
    out.facts.minimum = out.values.empty() ? number : std::min(out.facts.minimum, number);
    out.facts.maximum = out.values.empty() ? number : std::max(out.facts.maximum, number);
    out.facts.integer = out.facts.integer && number == std::floor(number);
    out.values.push_back(value);
  }
  out.facts.distinct = out.values.size();
  return out;
}

// Whether the numbers are the answers 0 or 1, 2, 3 ... without a gap, but for these codes.
bool is_scale(const ColumnSummary& numbers, const std::vector<std::string>& codes) {
  constexpr std::size_t kFewestAnswers = 3, kMostAnswers = 11;
  std::vector<double> answers;
  for (const ObservedValue& value : numbers.values) {
    if (std::find(codes.begin(), codes.end(), value.text) == codes.end())
      answers.push_back(*value.number);
  }
  if (answers.size() < kFewestAnswers || answers.size() > kMostAnswers) return false;
  std::sort(answers.begin(), answers.end());
  return (answers.front() == 0 || answers.front() == 1) &&
         answers.back() - answers.front() == static_cast<double>(answers.size() - 1);
}

std::string folded(std::string_view level) {
  return core::lower(core::trimmed(level));
}

}  // namespace

std::string text_beside_scale(const ColumnSummary& column) {
  constexpr std::size_t kMostTexts = 3;
  constexpr double kMostOfCells = 0.5;
  std::vector<std::string> texts;
  std::size_t cells = 0, all = 0;
  for (const ObservedValue& value : column.values) {
    all += value.count;
    if (value.number) continue;
    texts.push_back(value.text);
    cells += value.count;
  }
  if (texts.empty() || texts.size() > kMostTexts) return {};
  if (static_cast<double>(cells) > kMostOfCells * static_cast<double>(all)) return {};
  const ColumnSummary numbers = numbers_alone(column);
  if (!numbers.facts.integer) return {};
  const SuspectedCodes codes = suspected_codes(numbers);
  if (!is_scale(numbers, codes.texts)) return {};
  std::vector<std::string> missing = texts;
  missing.insert(missing.end(), codes.texts.begin(), codes.texts.end());
  std::string out = listed(texts) + (texts.size() == 1 ? " occurs " : " occur ") +
                    counted(cells, "time") + " beside answers that are numbers";
  if (!codes.why.empty()) out += "; " + codes.why;
  return out + ": missing? Put missing = [" + listed(missing) + "] into the schema";
}

std::string twin_levels(const ColumnSummary& column) {
  constexpr std::size_t kMostLevels = 1000, kMostTwins = 3;
  if (column.values.size() > kMostLevels) return {};
  std::map<std::string, std::vector<std::string>> alike;
  for (const ObservedValue& value : column.values) alike[folded(value.text)].push_back(value.text);
  std::string out;
  std::size_t found = 0;
  for (const auto& [key, texts] : alike) {
    if (texts.size() < 2 || ++found > kMostTwins) continue;
    out += (out.empty() ? "" : "; ") + listed(texts);
  }
  if (out.empty()) return out;
  return out + (found > kMostTwins ? " and others" : "") +
         " differ in case or blanks alone, and are levels of their own: one answer?";
}

std::string data_as_names(const RawTable& table) {
  if (table.delimiter == '\0' || table.columns.empty()) return {};
  std::vector<double> names;
  std::size_t texts = 0;
  bool counts = true;  // 1, 2, 3 or 2019, 2020, 2021 are names that people give
  for (const RawColumn& column : table.columns) {
    const NumberMarks& marks = column.numbers.marks;
    const auto holds = [&](const std::string& text) { return text == column.name; };
    const auto is_number = [&](const std::string& text) {
      return number_in(text, marks).has_value();
    };
    const std::optional<double> name = number_in(column.name, marks);
    if (!name && std::ranges::any_of(column.distinct, holds)) {
      ++texts;
      continue;
    }
    if (!name || !std::ranges::all_of(column.distinct, is_number)) return {};
    counts = counts && *name == std::floor(*name) && (names.empty() || names.back() < *name);
    names.push_back(*name);
  }
  if (texts == 0 && counts && names.size() > 1) return {};
  return std::string("the first line holds ") + (texts == 0 ? "numbers" : "values") +
         ", like the lines under it, and is taken for the names of the columns: if it is data, put "
         "a "
         "line with names above it";
}

std::map<std::size_t, std::size_t> copied_columns(const RawTable& table) {
  constexpr std::size_t kFewestRows = 10;
  std::map<std::size_t, std::size_t> copies;
  if (table.line.size() < kFewestRows) return copies;
  std::map<std::pair<std::size_t, std::string>, std::vector<std::size_t>> candidates;
  for (std::size_t c = 0; c < table.columns.size(); ++c) {
    const RawColumn& column = table.columns[c];
    if (column.distinct.size() < 2) continue;
    auto& earlier = candidates[{column.distinct.size(), column.distinct.front()}];
    const auto same = std::find_if(earlier.begin(), earlier.end(), [&](std::size_t other) {
      return table.columns[other].code == column.code &&
             table.columns[other].distinct == column.distinct;
    });
    if (same == earlier.end()) {
      earlier.push_back(c);
    } else {
      copies.emplace(c, *same);
    }
  }
  return copies;
}

namespace {

// "INRA63" of INRA63_1, INRA63.2 or INRA63-2; empty for other names.
std::string stem_of_copy(const std::string& name) {
  const std::size_t digits = name.find_last_not_of("0123456789");
  if (digits == std::string::npos || digits == 0 || digits + 1 == name.size()) return {};
  const char separator = name[digits];
  if (separator != '_' && separator != '.' && separator != '-') return {};
  return name.substr(0, digits);
}

}  // namespace

std::string columns_beside_text(const Schema& schema) {
  std::string text;
  std::vector<std::string> others;
  for (const SourceSpec& source : schema.sources) {
    for (const ColumnSpec& column : source.columns) {
      if (!is_feature(column)) continue;
      if (column.cells == CellText::text) text = column.name;
      if (column.cells == CellText::value && source.kind == SourceKind::table)
        others.push_back(column.name);
    }
  }
  if (text.empty() || others.empty()) return {};
  constexpr std::size_t kNamed = 8;
  std::string names, option;
  for (std::size_t i = 0; i < std::min(others.size(), kNamed); ++i) {
    names += (i > 0 ? ", " : "") + others[i];
    option += (i > 0 ? "," : "") + others[i];
  }
  const bool one = others.size() == 1, all = others.size() <= kNamed;
  if (!all) names += " and " + std::to_string(others.size() - kNamed) + " more";
  return names + (one ? " takes" : " take") + " part beside the prose in " + text + "; " +
         core::setting("ignore", all ? option : "NAME,NAME") +
         (one ? " leaves it out" : " leaves them out") +
         ", and groups `by` compares by such a column";
}

std::vector<std::string> columns_named_alike(const Schema& schema) {
  std::vector<std::string> doubts;
  for (const SourceSpec& source : schema.sources) {
    std::map<std::string, const ColumnSpec*> first;
    std::vector<std::string> pairs;
    for (const ColumnSpec& column : source.columns) {
      const std::string stem = stem_of_copy(column.name);
      if (!is_feature(column) || holds_entries(column) || stem.empty()) continue;
      const auto [found, added] = first.emplace(stem, &column);
      if (added || found->second->encoding == column.encoding) continue;
      pairs.push_back(found->second->name + " as " + found->second->family + " and " + column.name +
                      " as " + column.family);
    }
    if (pairs.empty()) continue;
    const std::string more =
        pairs.size() > 1 ? " (and " + std::to_string(pairs.size() - 1) + " more)" : "";
    doubts.push_back(
        "columns named alike are taken differently: " + pairs.front() + more +
        "; `column=\"NAME=FAMILY\"` gives both one family, `tie=\"NAME=COLUMN,COLUMN\"` makes one "
        "feature of them");
  }
  return doubts;
}

}  // namespace medley::data
