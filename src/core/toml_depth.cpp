// SPDX-License-Identifier: Apache-2.0
#include "core/toml_depth.hpp"

#include <cctype>

namespace medley::core {
namespace {

// The end of the string that begins at `at`: '...', "...", and with three quotes over many lines.
std::size_t end_of_string(std::string_view text, std::size_t at) {
  const char quote = text[at];
  const std::string_view three = text.substr(at, 3);
  const bool many = three.size() == 3 && three[1] == quote && three[2] == quote;
  std::size_t i = at + (many ? 3 : 1);
  for (; i < text.size(); ++i) {
    if (text[i] == '\\' && quote == '"') {
      ++i;
    } else if (many ? text.substr(i, 3) == three : text[i] == quote || text[i] == '\n') {
      return i + (many ? 3 : text[i] == quote ? 1 : 0);
    }
  }
  return text.size();
}

bool part_of_key(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '-' || c == ' ' ||
         c == '\t' || static_cast<unsigned char>(c) >= 0x80;
}

}  // namespace

std::optional<std::size_t> line_of_deep_key(std::string_view toml) {
  std::size_t line = 1, dots = 0;
  for (std::size_t i = 0; i < toml.size();) {
    const char c = toml[i];
    if (c == '"' || c == '\'') {
      const std::size_t end = end_of_string(toml, i);
      for (; i < end; ++i) line += toml[i] == '\n' ? 1 : 0;
      continue;
    }
    if (c == '#') {
      while (i < toml.size() && toml[i] != '\n') ++i;
      continue;
    }
    if (c == '.') {
      if (++dots >= kMostKeyParts) return line;
    } else if (!part_of_key(c)) {
      dots = 0;
    }
    line += c == '\n' ? 1 : 0;
    ++i;
  }
  return std::nullopt;
}

}  // namespace medley::core
