// SPDX-License-Identifier: Apache-2.0
#include "data/dates.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/text.hpp"

namespace medley::data {
namespace {

bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

// A run of digits, a run of letters (made small), or one other character.
struct DatePiece {
  std::string text;
  int number = -1;  // of digits

  [[nodiscard]] bool is(std::string_view wanted) const { return text == wanted; }
  [[nodiscard]] std::size_t digits() const { return number < 0 ? 0 : text.size(); }
};

using Pieces = std::vector<DatePiece>;

// Empty if the text is too long to be a date.
Pieces pieces_of(std::string_view text) {
  constexpr std::size_t kLongestDate = 40, kLongestNumber = 9;
  Pieces pieces;
  if (text.size() > kLongestDate) return pieces;
  for (std::size_t at = 0; at < text.size();) {
    const auto kind = [](char c) { return core::is_digit(c) ? 1 : is_letter(c) ? 2 : 0; };
    std::size_t end = at + 1;
    while (end < text.size() && kind(text[at]) != 0 && kind(text[end]) == kind(text[at])) ++end;
    DatePiece piece{core::lower(text.substr(at, end - at))};
    if (core::is_digit(text[at])) {
      if (piece.text.size() > kLongestNumber) return {};
      piece.number = std::stoi(piece.text);
    }
    pieces.push_back(std::move(piece));
    at = end;
  }
  return pieces;
}

bool is_month_name(const DatePiece& piece) {
  static constexpr std::array<std::string_view, 12> kMonths = {
      "january", "february", "march",     "april",   "may",      "june",
      "july",    "august",   "september", "october", "november", "december"};
  return std::any_of(kMonths.begin(), kMonths.end(), [&](std::string_view month) {
    return piece.text == month || piece.text == month.substr(0, 3);
  });
}

bool is_month(const DatePiece& piece) {
  return piece.digits() <= 2 && piece.number >= 1 && piece.number <= 12;
}

bool is_day(const DatePiece& piece) {
  return piece.digits() <= 2 && piece.number >= 1 && piece.number <= 31;
}

bool is_long_year(const DatePiece& piece) {
  return piece.digits() == 4 && piece.number >= 1000 && piece.number <= 2999;
}

bool is_year(const DatePiece& piece) {
  return is_long_year(piece) || piece.digits() == 2;
}

bool is_separator(const DatePiece& piece) {
  return piece.is("-") || piece.is("/") || piece.is(".");
}

// 20240301: eight digits of a year that people write about.
bool is_compact(const DatePiece& piece) {
  if (piece.digits() != 8) return false;
  const int year = piece.number / 10000, month = piece.number / 100 % 100, day = piece.number % 100;
  return year >= 1800 && year <= 2199 && month >= 1 && month <= 12 && day >= 1 && day <= 31;
}

// How many pieces from the start are a date; 0 if none are.
std::size_t numbered_date(const Pieces& p) {
  if (!p.empty() && is_compact(p[0])) return 1;
  if (p.size() < 3 || !is_separator(p[1])) return 0;
  const bool three = p.size() >= 5 && p[3].is(p[1].text);
  if (three && is_long_year(p[0]) && is_month(p[2]) && is_day(p[4])) return 5;
  if (three && is_year(p[4]) &&
      ((is_day(p[0]) && is_month(p[2])) || (is_month(p[0]) && is_day(p[2])))) {
    return 5;
  }
  const bool year_and_month = !p[1].is(".") && is_long_year(p[0]) && p[2].digits() == 2;
  return year_and_month && is_month(p[2]) ? 3 : 0;
}

// 1 March 2024, 01-Mar-24, March 1, 2024, Mar 2024: words and numbers, whatever is between them.
std::size_t named_date(const Pieces& p) {
  std::vector<const DatePiece*> words;
  std::size_t used = 0;
  for (; used < p.size() && words.size() < 3; ++used) {
    if (p[used].number >= 0 || is_letter(p[used].text[0])) words.push_back(&p[used]);
    if (words.size() == 2 && is_month_name(*words[0]) && is_long_year(*words[1])) return used + 1;
  }
  if (words.size() < 3) return 0;
  const bool day_first = is_day(*words[0]) && is_month_name(*words[1]);
  const bool month_first = is_month_name(*words[0]) && is_day(*words[1]);
  return (day_first || month_first) && is_year(*words[2]) ? used : 0;
}

// [from, ...) is a time of the day: 14:05, 14:05:30.25, 2:05 pm, and a zone behind it.
bool is_time(const Pieces& p, std::size_t from) {
  const auto piece = [&](std::size_t i) { return i < p.size() ? p[i] : DatePiece{}; };
  const auto sixtieth = [&](std::size_t i) {
    return piece(i).digits() == 2 && piece(i).number <= 59;
  };
  if (piece(from).digits() == 0 || piece(from).digits() > 2 || piece(from).number > 24)
    return false;
  if (!piece(from + 1).is(":") || !sixtieth(from + 2)) return false;
  std::size_t at = from + 3;
  if (piece(at).is(":") && sixtieth(at + 1)) {
    at += 2;
    const bool fraction = piece(at).is(".") || piece(at).is(",");
    if (fraction && piece(at + 1).number >= 0) at += 2;
  }
  if (piece(at).is(" ")) ++at;
  if (piece(at).is("am") || piece(at).is("pm") || piece(at).is("z") || piece(at).is("utc")) ++at;
  const bool zone = piece(at).is("+") || piece(at).is("-");
  if (zone && piece(at + 1).digits() == 4) at += 2;
  if (zone && piece(at + 1).digits() == 2) at += piece(at + 2).is(":") && sixtieth(at + 3) ? 4 : 2;
  return at >= p.size();
}

}  // namespace

bool is_date(std::string_view text) {
  const Pieces pieces = pieces_of(text);
  if (is_time(pieces, 0)) return true;
  std::size_t end = numbered_date(pieces);
  if (end == 0) end = named_date(pieces);
  if (end == 0) return false;
  if (end == pieces.size()) return true;
  const bool goes_on = pieces[end].is(" ") || pieces[end].is("t");
  return goes_on && is_time(pieces, end + 1);
}

bool holds_dates(const ColumnSummary& column) {
  return !column.values.empty() &&
         std::all_of(column.values.begin(), column.values.end(),
                     [](const ObservedValue& value) { return is_date(value.text); });
}

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

// The text is a date (dates.hpp), or a time alone, which has no parts.
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
