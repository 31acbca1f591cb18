// SPDX-License-Identifier: Apache-2.0
#include "core/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <cstring>

namespace medley::core {
namespace {

constexpr std::size_t kShown = 40;

/// Length of the well-formed character at the start of `text`, 0 if there is none (Unicode, table
/// 3-7).
std::size_t character_length(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<std::uint8_t>(text[i]); };
  const auto follows = [&](std::size_t i, std::uint8_t low = 0x80, std::uint8_t high = 0xBF) {
    return i < text.size() && byte(i) >= low && byte(i) <= high;
  };
  const std::uint8_t lead = byte(0);
  if (lead == 0) return 0;
  if (lead < 0x80) return 1;
  if (lead >= 0xC2 && lead <= 0xDF) return follows(1) ? 2 : 0;
  if (lead >= 0xE0 && lead <= 0xEF) {
    const std::uint8_t low = lead == 0xE0 ? 0xA0 : 0x80;
    const std::uint8_t high = lead == 0xED ? 0x9F : 0xBF;
    return follows(1, low, high) && follows(2) ? 3 : 0;
  }
  if (lead >= 0xF0 && lead <= 0xF4) {
    const std::uint8_t low = lead == 0xF0 ? 0x90 : 0x80;
    const std::uint8_t high = lead == 0xF4 ? 0x8F : 0xBF;
    return follows(1, low, high) && follows(2) && follows(3) ? 4 : 0;
  }
  return 0;
}

/// Checks eight bytes at once: all below 0x80 and none of them NUL.
bool plain_word(const char* bytes) {
  constexpr std::uint64_t kOnes = 0x0101010101010101, kHighs = 0x8080808080808080;
  std::uint64_t word = 0;
  std::memcpy(&word, bytes, sizeof word);
  return ((word | (word - kOnes)) & kHighs) == 0;
}

}  // namespace

std::size_t find_invalid_utf8(std::string_view text) {
  std::size_t at = 0;
  while (at < text.size()) {
    if (text.size() - at >= 8 && plain_word(text.data() + at)) {
      at += 8;
      continue;
    }
    const std::size_t length = character_length(text.substr(at));
    if (length == 0) return at;
    at += length;
  }
  return std::string_view::npos;
}

std::string lower(std::string_view text) {
  std::string out(text);
  for (char& c : out)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return out;
}

std::string quoted(std::string_view text) {
  std::string out = "\"";
  std::size_t at = 0;
  while (at < text.size() && at < kShown) {
    const std::size_t length = character_length(text.substr(at));
    const auto byte = static_cast<std::uint8_t>(text[at]);
    if (length == 0 || byte < 0x20 || byte == 0x7F) {
      out += fmt::format("\\x{:02X}", byte);
      ++at;
    } else {
      out += text.substr(at, length);
      at += length;
    }
  }
  return out + (at < text.size() ? "...\"" : "\"");
}

std::optional<std::string> take_quoted(std::string_view& text) {
  if (!text.starts_with('"')) return std::nullopt;
  std::string out;
  for (std::size_t at = 1; at < text.size(); ++at) {
    if (text[at] != '"') {
      out += text[at];
    } else if (at + 1 < text.size() && text[at + 1] == '"') {
      out += text[at++];
    } else {
      text.remove_prefix(at + 1);
      return out;
    }
  }
  return std::nullopt;
}

std::vector<std::string> comma_list(std::string_view text) {
  std::vector<std::string> out;
  while (!text.empty()) {
    if (text.front() == ' ') {
      text.remove_prefix(1);
      continue;
    }
    std::string_view rest = text;
    const std::optional<std::string> name = take_quoted(rest);
    if (name && (rest.empty() || rest.front() == ',')) {
      out.push_back(*name);
      text = rest.substr(std::min<std::size_t>(1, rest.size()));
      continue;
    }
    const std::size_t comma = std::min(text.find(','), text.size());
    std::string_view piece = text.substr(0, comma);
    text.remove_prefix(std::min(comma + 1, text.size()));
    while (!piece.empty() && piece.front() == ' ') piece.remove_prefix(1);
    while (!piece.empty() && piece.back() == ' ') piece.remove_suffix(1);
    if (!piece.empty()) out.emplace_back(piece);
  }
  return out;
}

std::string setting(std::string_view option) {
  return fmt::format("`{}`", option);
}

std::string setting(std::string_view option, std::string_view value) {
  const bool plain = !value.empty() && std::ranges::all_of(value, [](char c) {
    return c > ' ' && c != '"' && c != '`' && c != 0x7F;
  });
  std::string shown = plain ? fmt::format("\"{}\"", value) : quoted(value);
  std::ranges::replace(shown, '`', '\'');
  return fmt::format("`{}={}`", option, shown);
}

std::string setting(std::string_view option, std::size_t value) {
  return fmt::format("`{}={}`", option, value);
}

namespace {

// The end of the string that begins at `at`: '...', "...", or over several lines in three quotes.
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
