// SPDX-License-Identifier: Apache-2.0
#include "data/formats/csv_text.hpp"

#include <array>
#include <charconv>

namespace medley::data {

void append_cell(std::string& line, std::string_view text) {
  const auto blank = [](char c) { return c == ' ' || c == '\t'; };
  const bool edges = !text.empty() && (blank(text.front()) || blank(text.back()));
  if (!edges && text.find_first_of(",;\t|\"\r\n") == std::string_view::npos) {
    line += text;
    return;
  }
  line += '"';
  for (const char c : text) {
    line += c;
    if (c == '"') line += c;
  }
  line += '"';
}

void append_number(std::string& line, double number) {
  std::array<char, 32> digits{};
  const auto [end, error] = std::to_chars(digits.data(), digits.data() + digits.size(), number);
  line.append(digits.data(), error == std::errc{} ? end : digits.data());
}

}  // namespace medley::data
