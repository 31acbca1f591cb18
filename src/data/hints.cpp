// SPDX-License-Identifier: Apache-2.0
#include "data/hints.hpp"

#include <algorithm>
#include <cmath>
#include <string_view>
#include <utility>
#include <vector>

#include "core/text.hpp"
#include "data/detect_codes.hpp"
#include "data/number.hpp"
#include "data/wording.hpp"

namespace medley::data {
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

}  // namespace medley::data
