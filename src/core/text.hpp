// SPDX-License-Identifier: Apache-2.0
// Small functions on pieces of text: UTF-8 checks, trimming, quoting.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace medley::core {

/// Position of the first byte that is not part of well-formed UTF-8 (no overlong forms, surrogates
/// or code points past U+10FFFF), or npos. NUL is refused too, because text never holds it.
[[nodiscard]] std::size_t find_invalid_utf8(std::string_view text);

/// Whether it is one of 0-9, independent of the locale.
[[nodiscard]] inline bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

/// The text without spaces and tabs at both ends.
[[nodiscard]] inline std::string_view trimmed(std::string_view text) {
  const auto blank = [](char c) { return c == ' ' || c == '\t'; };
  while (!text.empty() && blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && blank(text.back())) text.remove_suffix(1);
  return text;
}

/// The text in ASCII lower case; other characters stay.
[[nodiscard]] std::string lower(std::string_view text);

/// The text in double quotes for a message: cut to about 40 bytes, control and broken bytes as
/// \xNN.
[[nodiscard]] std::string quoted(std::string_view text);

/// Removes a piece in double quotes from the beginning of `text` and returns it; a doubled quote
/// stands for one quote. If there is none, returns nothing and leaves `text` unchanged.
[[nodiscard]] std::optional<std::string> take_quoted(std::string_view& text);
/// The pieces between commas, trimmed, without empty ones. A piece that holds a comma must be in
/// double quotes.
[[nodiscard]] std::vector<std::string> comma_list(std::string_view text);

/// An option as messages name it: `k`, `k=3`, `inference="exact"`. The code that prints a message
/// may convert that to its own spelling of options.
[[nodiscard]] std::string setting(std::string_view option);
[[nodiscard]] std::string setting(std::string_view option, std::string_view value);
[[nodiscard]] std::string setting(std::string_view option, std::size_t value);

// toml++ builds a table for every part of a dotted key (a.b.c = 1) and destroys them recursively: a
// file of a few kilobytes could exhaust the stack. So keys are checked before it parses a text.

/// The largest number of parts of a key; our files have fewer.
inline constexpr std::size_t kMostKeyParts = 64;

/// The line, from 1, of the first key with more than kMostKeyParts parts, or nothing.
[[nodiscard]] std::optional<std::size_t> line_of_deep_key(std::string_view toml);

}  // namespace medley::core
