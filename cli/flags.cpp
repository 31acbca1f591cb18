// SPDX-License-Identifier: Apache-2.0
#include "flags.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <set>
#include <utility>
#include <vector>

#include "medley/error.hpp"

namespace medley::cli {
namespace {

constexpr std::size_t kHelpWidth = 76;

/// Options of the library that are in neither table: of one function each.
constexpr std::string_view kOfOneFunction[] = {
    "absolute_fit", "binarise",   "by",         "cluster",        "columns",    "correlation",
    "estimator",    "folds",      "help",       "intervals",      "json",       "level",
    "match",        "min_column", "min_row",    "ones_as_tokens", "replicates", "rows",
    "samples",      "schema",     "separation", "spread",         "strata",     "suggest",
    "tokens",       "top",        "triplets",   "truth",          "two_step"};
/// Options of reading that the command line has no flag for.
constexpr std::string_view kNoFlag = "keep";

/// Functions whose command has another name.
constexpr std::array<std::pair<std::string_view, std::string_view>, 4> kCommands = {
    {{"infer_schema", "schema"},
     {"presets", "models"},
     {"list_memberships", "models"},
     {"list_families", "models"}}};

bool is_option(std::string_view name) {
  static const std::set<std::string, std::less<>> known = [] {
    std::set<std::string, std::less<>> out(std::begin(kOfOneFunction), std::end(kOfOneFunction));
    for (const OptionField& field : fit_option_fields()) out.insert(field.name);
    for (const OptionField& field : read_option_fields()) out.insert(field.name);
    out.erase(std::string(kNoFlag));
    return out;
  }();
  return known.contains(name);
}

std::string with_dashes(std::string_view name) {
  std::string out(name);
  std::ranges::replace(out, '_', '-');
  return out;
}

bool is_name(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_';
  });
}

/// A shell takes it as it is.
bool is_plain(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
         static_cast<unsigned char>(c) >= 0x80 ||
         std::string_view("_-.,/:=*").find(c) != std::string_view::npos;
}

/// A quoted value that a shell takes as it is loses its quotes.
std::string shell_value(std::string_view value) {
  if (value.size() < 2 || !value.starts_with('"') || !value.ends_with('"'))
    return std::string(value);
  const std::string_view inner = value.substr(1, value.size() - 2);
  const bool plain = !inner.empty() && std::ranges::all_of(inner, is_plain);
  if (plain) return std::string(inner);
  // "my column"=gaussian
  const std::size_t equals = inner.rfind('=');
  const std::string_view right = equals == std::string_view::npos ? "" : inner.substr(equals + 1);
  if (right.empty() || !std::ranges::all_of(right, is_plain)) return std::string(value);
  return '"' + std::string(inner.substr(0, equals)) + "\"=" + std::string(right);
}

/// `name` or `name=value` as a flag; empty if it is no option.
std::string option_as_flag(std::string_view text) {
  const std::size_t equals = text.find('=');
  const std::string_view name = text.substr(0, equals);
  if (!is_option(name)) return "";
  if (equals == std::string_view::npos) return flag_of(name);
  const std::string_view value = text.substr(equals + 1);
  return value == "true" ? flag_of(name) : flag_of(name) + ' ' + shell_value(value);
}

/// `name(a, b=c)` as a command; empty if it is none.
std::string call_as_command(std::string_view text) {
  const std::size_t open = text.find('(');
  if (open == std::string_view::npos || !text.ends_with(')') || !is_name(text.substr(0, open)))
    return "";
  std::string_view name = text.substr(0, open);
  for (const auto& [function, command] : kCommands) {
    if (name == function) name = command;
  }
  std::string out = "`medley " + with_dashes(name);
  std::string_view rest = text.substr(open + 1, text.size() - open - 2);
  while (!rest.empty()) {
    const std::size_t comma = std::min(rest.find(", "), rest.size());
    const std::string_view argument = rest.substr(0, comma);
    const std::string flag = option_as_flag(argument);
    out += ' ' + (flag.empty() ? std::string(argument) : flag);
    rest.remove_prefix(std::min(comma + 2, rest.size()));
  }
  return out + '`';
}

}  // namespace

std::string flag_of(std::string_view option) {
  return "--" + with_dashes(option);
}

std::string as_flags(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const char c = text.front();
    // what stands in quotes or backticks stands in one line
    const std::string_view line = text.substr(0, text.find('\n'));
    const std::size_t end = c == '`' || c == '"' ? line.find(c, 1) : std::string_view::npos;
    if (end == std::string_view::npos) {
      out += c;
      text.remove_prefix(1);
      continue;
    }
    const std::string_view inner = text.substr(1, end - 1);
    std::string said;
    if (c == '`') said = option_as_flag(inner);
    if (c == '`' && said.empty()) said = call_as_command(inner);
    out += said.empty() ? std::string(text.substr(0, end + 1)) : said;
    text.remove_prefix(end + 1);
  }
  return out;
}

std::vector<std::string> as_flags(std::vector<std::string> sentences) {
  for (std::string& sentence : sentences) sentence = as_flags(sentence);
  return sentences;
}

std::string in_short_lines(const std::string& text) {
  std::string out, line, word;
  const auto finish_word = [&] {
    if (!line.empty() && line.size() + 1 + word.size() > kHelpWidth) {
      out += line + '\n';
      line.clear();
    }
    if (!word.empty()) line += (line.empty() ? "" : " ") + std::exchange(word, "");
  };
  for (const char c : text) {
    if (c != ' ' && c != '\n') {
      word += c;
      continue;
    }
    finish_word();
    if (c == '\n') out += std::exchange(line, "") + '\n';
  }
  finish_word();
  return out + line;
}

std::string help_of(const OptionField& field) {
  std::string out = field.help;
  if (!field.default_text.empty() && field.type != "yes/no")
    out += (out.empty() ? "default " : "; default ") + field.default_text;
  if (field.repeatable) out += " (repeatable)";
  return in_short_lines(as_flags(out));
}

template <class Options>
std::string set_from_flag(Options& options, const std::string& name, const std::string& text) {
  try {
    set_option(options, name, text);
  } catch (const InputError& error) {
    return as_flags(error.problems().front().what);
  }
  return "";
}

template std::string set_from_flag(FitOptions&, const std::string&, const std::string&);
template std::string set_from_flag(ReadOptions&, const std::string&, const std::string&);

}  // namespace medley::cli
