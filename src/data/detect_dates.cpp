// SPDX-License-Identifier: Apache-2.0
#include "data/detect_dates.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <string>
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

}  // namespace medley::data
