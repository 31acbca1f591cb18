// SPDX-License-Identifier: Apache-2.0
#include "csv.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <iterator>
#include <system_error>
#include <utility>

namespace medley::cli {

bool is_formula(std::string_view text) {
  if (text.empty() || std::string_view("=+-@\t\r").find(text.front()) == std::string_view::npos)
    return false;
  if (text.front() != '+' && text.front() != '-') return true;
  std::string number(text.substr(1));
  if (const std::size_t comma = number.find(','); comma != std::string::npos) number[comma] = '.';
  double value = 0;
  const char* const end = number.data() + number.size();
  const auto [stopped, error] = std::from_chars(number.data(), end, value);
  return number.empty() || number.front() == '-' || stopped != end ||
         (error != std::errc() && error != std::errc::result_out_of_range);
}

bool& csv_is_safe() {
  static bool safe = false;
  return safe;
}

std::string as_asked(std::string csv) {
  if (!csv_is_safe()) return csv;
  std::string out;
  std::size_t at = 0;
  while (at < csv.size()) {
    const bool quoted = csv[at] == '"';
    std::size_t end = at;
    if (quoted) {
      for (++end; end < csv.size(); ++end) {
        if (csv[end] != '"') continue;
        if (end + 1 >= csv.size() || csv[end + 1] != '"') break;
        ++end;
      }
    }
    end = std::min(csv.find_first_of(",\n", end), csv.size());
    const std::string_view cell = std::string_view(csv).substr(at, end - at);
    if (quoted) out += '"';
    if (is_formula(quoted ? cell.substr(1, cell.size() - 2) : cell)) out += '\'';
    out += cell.substr(quoted ? 1 : 0);
    if (end < csv.size()) out += csv[end];
    at = end + 1;
  }
  return out;
}

void CsvLine::separate() {
  if (!first_) line_ += delimiter_;
  first_ = false;
}

CsvLine& CsvLine::add(std::string_view given) {
  separate();
  std::string marked;
  if (csv_is_safe() && is_formula(given)) marked = "'" + std::string(given);
  const std::string_view text = marked.empty() ? given : marked;
  const bool blank_edge = !text.empty() && (text.front() == ' ' || text.back() == ' ');
  if (!blank_edge && text.find_first_of("\"\r\n") == std::string_view::npos &&
      text.find(delimiter_) == std::string_view::npos) {
    line_ += text;
    return *this;
  }
  line_ += '"';
  for (const char c : text) {
    line_ += c;
    if (c == '"') line_ += c;
  }
  line_ += '"';
  return *this;
}

CsvLine& CsvLine::add(double number) {
  separate();
  fmt::format_to(std::back_inserter(line_), "{}", number);
  return *this;
}

CsvLine& CsvLine::add(std::size_t number) {
  separate();
  fmt::format_to(std::back_inserter(line_), "{}", number);
  return *this;
}

std::string CsvLine::take() {
  line_ += '\n';
  first_ = true;
  return std::exchange(line_, {});
}

}  // namespace medley::cli
