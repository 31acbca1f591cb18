// SPDX-License-Identifier: Apache-2.0
#include "csv.hpp"

#include <fmt/format.h>

#include <iterator>
#include <utility>

namespace medley::cli {

void CsvLine::separate() {
  if (!first_) line_ += delimiter_;
  first_ = false;
}

CsvLine& CsvLine::add(std::string_view text) {
  separate();
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
