// SPDX-License-Identifier: Apache-2.0
#include "arguments.hpp"

#include <algorithm>

namespace medley::cli {

std::string shell_quoted(const std::string& word) {
  constexpr std::string_view kPlain =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./=:,+@%";
  if (!word.empty() && word.find_first_not_of(kPlain) == std::string::npos) return word;
  std::string out = "'";
  for (const char c : word) {
    if (c == '\'') {
      out += "'\\''";
    } else {
      out += c;
    }
  }
  return out + "'";
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

std::string resume_command(const std::vector<std::string>& arguments,
                           const std::string& checkpoint) {
  const auto given = [&](const std::string& option) {
    return std::any_of(arguments.begin(), arguments.end(), [&](const std::string& word) {
      return word == option || word.starts_with(option + "=");
    });
  };
  std::string out;
  for (const std::string& word : arguments) {
    if (!out.empty()) out += ' ';
    out += shell_quoted(word);
  }
  if (!given("--checkpoint")) out += " --checkpoint " + shell_quoted(checkpoint);
  if (!given("--resume")) out += " --resume";
  return out;
}

}  // namespace medley::cli
