// SPDX-License-Identifier: Apache-2.0
#include "data/date_parts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "core/text.hpp"
#include "data/detect_dates.hpp"

namespace medley::data {
namespace {

constexpr std::array<std::string_view, 3> kDateParts = {"year", "month", "weekday"};
constexpr std::array<std::string_view, 12> kMonthNames = {"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                                          "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
constexpr std::array<std::string_view, 7> kDayNames = {"Mon", "Tue", "Wed", "Thu",
                                                       "Fri", "Sat", "Sun"};

struct CalendarDate {
  int year = 0, month = 0, day = 0;  // 0: not said
};

// Which number of 3/4/2024 is the day.
enum class DayPlace { unknown, first, second };

// Numbers of the text as they stand, with their lengths, and the month if it is written out.
struct DateNumbers {
  std::vector<std::pair<int, std::size_t>> numbers;
  int named_month = 0;
  bool name_first = false;
};

int month_called(std::string_view word) {
  if (word.size() < 3) return 0;
  for (std::size_t i = 0; i < kMonthNames.size(); ++i) {
    if (core::lower(word.substr(0, 3)) == core::lower(kMonthNames[i]))
      return static_cast<int>(i) + 1;
  }
  return 0;
}

DateNumbers numbers_in(std::string_view text) {
  DateNumbers found;
  const auto is_alpha = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); };
  for (std::size_t at = 0; at < text.size() && found.numbers.size() < 3;) {
    std::size_t end = at;
    if (core::is_digit(text[at])) {
      int value = 0;
      for (; end < text.size() && core::is_digit(text[end]) && end < at + 8; ++end)
        value = 10 * value + (text[end] - '0');
      found.numbers.emplace_back(value, end - at);
    } else if (is_alpha(text[at])) {
      while (end < text.size() && is_alpha(text[end])) ++end;
      if (found.named_month == 0) {
        found.named_month = month_called(text.substr(at, end - at));
        found.name_first = found.numbers.empty();
      }
    } else {
      ++end;
    }
    at = end;
  }
  return found;
}

int long_year(std::pair<int, std::size_t> number) {
  constexpr int kPivot = 69;  // as POSIX reads two digits: 69 is 1969, 68 is 2068
  if (number.second > 2) return number.first;
  return number.first + (number.first < kPivot ? 2000 : 1900);
}

// Day and month of 3/4/2024 where the numbers tell, or as the rest of the column says.
CalendarDate slashed(const DateNumbers& d, DayPlace place) {
  const int first = d.numbers[0].first, second = d.numbers[1].first;
  CalendarDate date{long_year(d.numbers[2]), 0, 0};
  if (first > 12 || (second <= 12 && place == DayPlace::first)) {
    date.month = second;
    date.day = first;
  } else if (second > 12 || place == DayPlace::second) {
    date.month = first;
    date.day = second;
  }
  return date;
}

// The text is a date (detect_dates.hpp), or a time alone, which has no parts.
std::optional<CalendarDate> date_in(std::string_view text, DayPlace place) {
  if (!is_date(text)) return std::nullopt;
  const std::size_t colon = text.find(':');
  if (colon != std::string_view::npos && colon <= 2) return std::nullopt;
  const DateNumbers d = numbers_in(text);
  if (d.numbers.empty()) return std::nullopt;
  const auto [value, digits] = d.numbers[0];
  if (digits == 8) return CalendarDate{value / 10000, value / 100 % 100, value % 100};
  if (d.named_month > 0) {
    if (d.numbers.size() == 1 || d.numbers[0].second == 4)
      return CalendarDate{long_year(d.numbers[0]), d.named_month, 0};
    return CalendarDate{long_year(d.numbers[1]), d.named_month, value};
  }
  if (d.numbers.size() < 2) return std::nullopt;
  if (digits == 4) {
    const bool has_day = d.numbers.size() > 2 && text.size() > 7 && text[7] == text[4];
    return CalendarDate{value, d.numbers[1].first, has_day ? d.numbers[2].first : 0};
  }
  if (d.numbers.size() < 3) return std::nullopt;
  return slashed(d, place);
}

// Whether 3/4/2024 has the day first: some date of the column has a number above 12 there. Dots go
// with the day first everywhere.
DayPlace day_place(const RawColumn& column) {
  bool first = false, second = false;
  for (const std::string& text : column.distinct) {
    const DateNumbers d = numbers_in(text);
    if (!is_date(text) || d.named_month > 0 || d.numbers.size() < 3 || d.numbers[0].second > 2)
      continue;
    first = first || d.numbers[0].first > 12 || text.find('.') <= 2;
    second = second || d.numbers[1].first > 12;
  }
  return first == second ? DayPlace::unknown : first ? DayPlace::first : DayPlace::second;
}

// Empty if the date does not have the part.
std::string part_of_date(const CalendarDate& date, const std::string& part) {
  using namespace std::chrono;
  if (part == "year") return std::to_string(date.year);
  if (date.month < 1 || date.month > 12) return {};
  const std::string_view month = kMonthNames[static_cast<std::size_t>(date.month - 1)];
  if (part == "month") return fmt::format("{:02} {}", date.month, month);
  const year_month_day day{year{date.year}, std::chrono::month{static_cast<unsigned>(date.month)},
                           std::chrono::day{static_cast<unsigned>(date.day)}};
  if (date.day < 1 || !day.ok()) return {};
  const unsigned of_week = weekday{sys_days{day}}.iso_encoding();
  return fmt::format("{} {}", of_week, kDayNames[of_week - 1]);
}

// What is asked of a column, by the options or by the schema; empty if nothing is.
std::string part_asked(const RawSource& source, const RawColumn& column,
                       const ReadOptions& options) {
  if (options.schema) {
    for (const SourceSpec& spec : options.schema->sources) {
      if (spec.name != source.name && options.schema->sources.size() > 1) continue;
      const auto found = std::ranges::find(spec.columns, column.name, &ColumnSpec::name);
      if (found != spec.columns.end()) return found->date_part;
    }
    return {};
  }
  for (const std::string& name : {column.name, source.name + '.' + column.name}) {
    const auto asked = options.family.find(name);
    if (asked != options.family.end() && asks_for_date_part(asked->second)) return asked->second;
  }
  return {};
}

}  // namespace

bool asks_for_date_part(const std::string& word) {
  return std::ranges::find(kDateParts, word) != kDateParts.end();
}

void take_date_part(RawColumn& column, const std::string& part, const std::string& where,
                    core::Problems& problems) {
  const DayPlace place = day_place(column);
  std::vector<std::string> texts;
  std::unordered_map<std::string, std::uint32_t> code_of;
  std::vector<std::uint32_t> code(column.distinct.size(), kMissingCode);
  for (std::size_t i = 0; i < column.distinct.size(); ++i) {
    const std::optional<CalendarDate> date = date_in(column.distinct[i], place);
    const std::string text = date ? part_of_date(*date, part) : std::string();
    if (text.empty() && !is_standard_missing(column.distinct[i])) {
      problems.add(where,
                   core::quoted(column.distinct[i]) +
                       (date && date->month == 0 ? " does not say which number is the month"
                                                 : " is no date with a " + part),
                   "write dates as 2024-03-31");
    }
    if (text.empty()) continue;
    const auto [found, added] = code_of.emplace(text, static_cast<std::uint32_t>(texts.size()));
    if (added) texts.push_back(text);
    code[i] = found->second;
  }
  for (std::uint32_t& cell : column.code) {
    if (cell != kMissingCode) cell = code[cell];
  }
  column.distinct = std::move(texts);
  column.given = GivenLevels::none;
  column.number.clear();
}

void take_date_parts(std::vector<RawSource>& sources, const ReadOptions& options) {
  core::Problems problems;
  for (RawSource& source : sources) {
    auto* table = std::get_if<RawTable>(&source.content);
    if (table == nullptr) continue;
    for (RawColumn& column : table->columns) {
      const std::string part = part_asked(source, column, options);
      if (!part.empty())
        take_date_part(column, part, source.path + ": column " + core::quoted(column.name),
                       problems);
    }
  }
  problems.throw_if_any();
}

}  // namespace medley::data
