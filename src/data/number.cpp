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

bool is_ambiguous_comma(std::string_view text) {
  const std::string_view body = without_sign(text);
  const std::size_t comma = body.find(',');
  return comma != body.npos && comma >= 1 && comma <= 3 && body.size() == comma + 4 &&
         body.front() != '0' &&
         std::count_if(body.begin(), body.end(), core::is_digit) ==
             static_cast<std::ptrdiff_t>(body.size() - 1);
}

std::optional<double> number_in(std::string_view text) {
  const std::size_t comma = text.find(',');
  if (comma == text.npos) return parse_point(text);
  const bool between_digits = comma > 0 && comma + 1 < text.size() &&
                              core::is_digit(text[comma - 1]) && core::is_digit(text[comma + 1]);
  if (!between_digits || text.find('.') != text.npos || is_ambiguous_comma(text)) {
    return std::nullopt;
  }
  std::string point(text);
  point[comma] = '.';
  return parse_point(point);
}

}  // namespace medley::data
