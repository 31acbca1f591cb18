// SPDX-License-Identifier: Apache-2.0
// Escapes names from the data for the formats of tables, and removes escape sequences from text for
// a terminal.
#include "report/escapes.hpp"

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "medley/report.hpp"

namespace medley::report {

std::string markdown_escaped(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (std::string_view("\\`*_{}[]<>#|~").find(c) != std::string_view::npos) out += '\\';
    out += c;
  }
  return out;
}

std::string latex_escaped(const std::string& text) {
  std::string out;
  for (const char c : text) {
    switch (c) {
      case '\\':
        out += "\\textbackslash{}";
        break;
      case '~':
        out += "\\textasciitilde{}";
        break;
      case '^':
        out += "\\textasciicircum{}";
        break;
      case '<':
        out += "\\textless{}";
        break;
      case '>':
        out += "\\textgreater{}";
        break;
      case '[':  // after a line's \\ it would begin an optional argument
        out += "{[}";
        break;
      default:
        if (std::string_view("&%$#_{}").find(c) != std::string_view::npos) out += '\\';
        out += c;
    }
  }
  return out;
}

std::string csv_field(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string out = "\"";
  for (const char c : text) {
    out += c;
    if (c == '"') out += c;
  }
  return out + "\"";
}

}  // namespace medley::report

namespace medley {

// Makes text from files safe for a terminal. A column name or a level can hold anything, including
// escape sequences that retitle a window or hide what follows.

namespace {

constexpr std::string_view kReplacement = "\xEF\xBF\xBD";  // U+FFFD

struct Decoded {
  std::uint32_t point = 0;
  std::size_t length = 0;  // 0: these bytes are no UTF-8
};

/// The code point at the start of `text`; overlong forms, surrogates and values past U+10FFFF are
/// not valid UTF-8.
Decoded decode(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char first = byte(0);
  if (first < 0x80) return {first, 1};
  const std::size_t length = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
  if (first < 0xC2 || first > 0xF4 || text.size() < length) return {};
  std::uint32_t point = first & (0xFFU >> (length + 1));
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xC0U) != 0x80U) return {};
    point = (point << 6U) | (byte(i) & 0x3FU);
  }
  const bool overlong = (length == 3 && point < 0x800) || (length == 4 && point < 0x10000);
  if (overlong || (point >= 0xD800 && point < 0xE000) || point > 0x10FFFF) return {};
  return {point, length};
}

bool harmless(std::uint32_t point, bool lines) {
  if (point == '\n') return lines;
  const bool control = point < 0x20 || (point >= 0x7F && point < 0xA0);
  const bool direction =
      (point >= 0x202A && point <= 0x202E) || (point >= 0x2066 && point <= 0x2069);
  const bool line_break = point == 0x2028 || point == 0x2029;
  return !control && !direction && !line_break;
}

}  // namespace

std::string printable(std::string_view text, bool lines) {
  std::string out;
  out.reserve(text.size());
  for (std::size_t i = 0; i < text.size();) {
    const Decoded at = decode(text.substr(i));
    if (at.length > 0 && harmless(at.point, lines)) {
      out += text.substr(i, at.length);
    } else {
      out += kReplacement;
    }
    i += at.length > 0 ? at.length : 1;
  }
  return out;
}

}  // namespace medley
