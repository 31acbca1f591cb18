// SPDX-License-Identifier: Apache-2.0
// Small questions about pieces of text: is it UTF-8, what is left without blanks, how to show it.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace medley::core {

/// Position of the first byte that is not part of well-formed UTF-8 (no overlong forms, surrogates
/// or code points past U+10FFFF; NUL is refused too, text never holds it), or npos.
[[nodiscard]] std::size_t find_invalid_utf8(std::string_view text);

/// Whether it is one of 0-9, in any locale.
[[nodiscard]] inline bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

/// Without spaces and tabs at both ends.
[[nodiscard]] inline std::string_view trimmed(std::string_view text) {
  const auto blank = [](char c) { return c == ' ' || c == '\t'; };
  while (!text.empty() && blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && blank(text.back())) text.remove_suffix(1);
  return text;
}

/// With A-Z made small; other characters stay.
[[nodiscard]] std::string lower(std::string_view text);

/// In double quotes for a message: cut to 40 bytes or so, control and broken bytes as \xNN.
[[nodiscard]] std::string quoted(std::string_view text);

/// A piece in double quotes at the beginning of `text`, which is taken off; a doubled quote stands
/// for itself. Nothing, and `text` as it was, if there is none.
[[nodiscard]] std::optional<std::string> take_quoted(std::string_view& text);
/// The pieces between commas, blanks around them removed, empty ones left out. A piece that holds a
/// comma goes in double quotes.
[[nodiscard]] std::vector<std::string> comma_list(std::string_view text);

/// An option as messages name it: `k`, `k=3`, `inference="exact"`. Whoever prints a message can
/// turn that into what an option is where it is printed.
[[nodiscard]] std::string setting(std::string_view option);
[[nodiscard]] std::string setting(std::string_view option, std::string_view value);
[[nodiscard]] std::string setting(std::string_view option, std::size_t value);

// toml++ builds a table for every part of a dotted key (a.b.c = 1) and destroys them by recursion:
// a file of a few kilobytes could use up the stack. So keys are looked at before it reads a text.

/// More parts than any file of ours has.
inline constexpr std::size_t kMostKeyParts = 64;

/// The line, from 1, of the first key of more than kMostKeyParts parts; nothing if there is none.
[[nodiscard]] std::optional<std::size_t> line_of_deep_key(std::string_view toml);

}  // namespace medley::core
