// SPDX-License-Identifier: Apache-2.0
#include "data/number.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <string>
#include <system_error>

#include "core/text.hpp"

namespace medley::data {
namespace {

std::string_view without_sign(std::string_view text) {
  if (!text.empty() && (text.front() == '+' || text.front() == '-')) text.remove_prefix(1);
  return text;
}

// Whether an exponent makes a number small: then out of range means 0, else infinite.
bool is_tiny(std::string_view body) {
  return body.find("e-") != body.npos || body.find("E-") != body.npos;
}

// from_chars alone would take "inf" and "nan" and refuse a leading '+'.
std::optional<double> parse_point(std::string_view text) {
  const std::string_view body = without_sign(text);
  if (body.empty() || !(core::is_digit(body.front()) || body.front() == '.')) return std::nullopt;
  double value = 0;
  const char* end = body.data() + body.size();
  const auto [stop, error] = std::from_chars(body.data(), end, value);
  // Out of range: too large is no finite number; too small is zero to any precision we have.
  if (error == std::errc::result_out_of_range && stop == end) {
    if (!is_tiny(body)) return std::nullopt;
    value = 0;
  } else if (error != std::errc{} || stop != end || !std::isfinite(value)) {
    return std::nullopt;
  }
  return text.front() == '-' ? -value : value;
}

char other_mark(char mark) {
  return mark == '.' ? ',' : '.';
}

std::size_t count_of(std::string_view text, char mark) {
  return static_cast<std::size_t>(std::count(text.begin(), text.end(), mark));
}

// 1.234.567: up to three digits, then groups of three. A group in front does not begin with 0.
bool is_grouped(std::string_view body, char mark) {
  std::size_t group = body.find(mark);
  if (group == body.npos || group == 0 || group > 3 || body.front() == '0') return false;
  if (!std::all_of(body.begin(), body.begin() + static_cast<std::ptrdiff_t>(group), core::is_digit))
    return false;
  for (body.remove_prefix(group); !body.empty(); body.remove_prefix(4)) {
    if (body.size() < 4 || body.front() != mark ||
        !std::all_of(body.begin() + 1, body.begin() + 4, core::is_digit))
      return false;
  }
  return true;
}

// With this mark alone, once at most. A comma stands between digits: "3," is no number.
std::optional<double> parse_decimal(std::string_view text, char mark) {
  if (mark == '.') return parse_point(text);
  const std::size_t comma = text.find(',');
  if (comma == text.npos) return parse_point(text);
  const bool between_digits = comma > 0 && comma + 1 < text.size() &&
                              core::is_digit(text[comma - 1]) && core::is_digit(text[comma + 1]);
  if (!between_digits || text.find('.') != text.npos) return std::nullopt;
  std::string point(text);
  point[comma] = '.';
  return parse_point(point);
}

// The same with the other mark between groups of three digits in front of it. A single group and
// nothing else, 1,538, is a thousand only where thousands are known.
std::optional<double> parse_grouped(std::string_view text, char decimal, bool thousands) {
  const char other = other_mark(decimal);
  const std::string_view body = without_sign(text);
  const std::string_view front = body.substr(0, body.find(decimal));
  if (!is_grouped(front, other))
    return count_of(text, other) > 0 ? std::nullopt : parse_decimal(text, decimal);
  if (front.size() == body.size() && count_of(front, other) == 1 && !thousands) return std::nullopt;
  std::string plain(front);
  std::erase(plain, other);
  plain.insert(0, text.substr(0, text.size() - body.size()));
  return parse_decimal(plain + std::string(body.substr(front.size())), decimal);
}

}  // namespace

bool is_infinite(std::string_view text) {
  const std::string body = core::lower(without_sign(text));
  if (body == "inf" || body == "infinity") return true;
  if (body.empty() || !(core::is_digit(body.front()) || body.front() == '.')) return false;
  double value = 0;
  const char* end = body.data() + body.size();
  const auto [stop, error] = std::from_chars(body.data(), end, value);
  return error == std::errc::result_out_of_range && stop == end && !is_tiny(body);
}

WrittenNumber writing_of(std::string_view text) {
  WrittenNumber out;
  const std::string_view body = without_sign(text);
  const std::size_t points = count_of(body, '.'), commas = count_of(body, ',');
  if (points == 0 && commas == 0) {
    out.number = parse_point(text).has_value();
    return out;
  }
  if (points > 0 && commas > 0) {
    const bool comma_last = body.rfind(',') > body.rfind('.');
    const char last = comma_last ? ',' : '.';
    out.number = number_in(text, comma_last ? kCommaOnly : kPointOnly).has_value() &&
                 count_of(body, last) == 1;
    out.decimal_mark[comma_last ? 1 : 0] = out.number;
    out.thousands_mark[comma_last ? 0 : 1] = out.number;
    return out;
  }
  const char mark = commas > 0 ? ',' : '.';
  const std::size_t which = commas > 0 ? 1 : 0;
  if (points + commas > 1) {
    out.number = out.thousands_mark[which] = is_grouped(body, mark);
  } else if (is_grouped(body, mark)) {
    out.number = out.either[which] = true;
  } else {
    out.number = out.decimal_mark[which] = parse_decimal(text, mark).has_value();
  }
  return out;
}

std::optional<double> number_in(std::string_view text, const NumberMarks& marks) {
  const char other = other_mark(marks.decimal);
  const bool strict = marks.thousands == other;
  const std::optional<double> number = parse_grouped(text, marks.decimal, strict);
  if (number || strict || is_grouped(without_sign(text), other)) return number;
  return parse_grouped(text, other, false);
}

bool is_ambiguous_mark(std::string_view text, const NumberMarks& marks) {
  const WrittenNumber written = writing_of(text);
  return (written.either[0] || written.either[1]) && !number_in(text, marks);
}

std::string may_be_either(std::string_view text) {
  std::string point(text), whole(text);
  std::replace(point.begin(), point.end(), ',', '.');
  std::erase_if(whole, [](char c) { return c == '.' || c == ','; });
  return core::quoted(text) + " could be " + point + " or " + whole;
}

std::string_view mark_name(char mark) {
  return mark == ',' ? "comma" : "point";
}

}  // namespace medley::data
