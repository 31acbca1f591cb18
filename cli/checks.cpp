// SPDX-License-Identifier: Apache-2.0
#include "checks.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <charconv>
#include <cmath>
#include <cstdint>
#include <optional>
#include <string_view>

#include "arguments.hpp"
#include "suggest.hpp"

namespace medley::cli {
namespace {

template <class Number>
std::optional<Number> parsed(std::string_view text) {
  Number value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

std::optional<double> finite(std::string_view text) {
  const std::optional<double> value = parsed<double>(text);
  return value && std::isfinite(*value) ? value : std::nullopt;
}

}  // namespace

Check whole_number(std::size_t least) {
  return [least](const std::string& text) -> std::string {
    const std::optional<std::uint64_t> value = parsed<std::uint64_t>(text);
    if (value && *value >= least) return "";
    return fmt::format("\"{}\" is not a whole number of at least {}", text, least);
  };
}

Check number_from_zero() {
  return [](const std::string& text) -> std::string {
    const std::optional<double> value = finite(text);
    return value && *value >= 0 ? "" : fmt::format("\"{}\" is not a number of at least 0", text);
  };
}

Check number_above_zero() {
  return [](const std::string& text) -> std::string {
    const std::optional<double> value = finite(text);
    return value && *value > 0 ? "" : fmt::format("\"{}\" is not a number above 0", text);
  };
}

Check share() {
  return [](const std::string& text) -> std::string {
    const std::optional<double> value = finite(text);
    if (value && *value > 0 && *value <= 1) return "";
    return fmt::format("\"{}\" is not a number above 0 and at most 1", text);
  };
}

Check share_of_one() {
  return [](const std::string& text) -> std::string {
    const std::optional<double> value = finite(text);
    return value && *value > 0 && *value < 1
               ? ""
               : fmt::format("\"{}\" is not a number between 0 and 1", text);
  };
}

Check share_list() {
  return [](const std::string& text) -> std::string {
    const std::vector<std::string> pieces = comma_list(text);
    for (const std::string& piece : pieces) {
      const std::optional<double> value = finite(piece);
      if (!value || *value < 0 || *value > 1)
        return fmt::format("\"{}\" is not a number from 0 to 1", piece);
    }
    return pieces.empty() ? fmt::format("\"{}\" holds no number", text) : "";
  };
}

Check one_of(std::vector<std::string> words) {
  return [words = std::move(words)](const std::string& text) -> std::string {
    for (const std::string& word : words) {
      if (word == text) return "";
    }
    const std::string hint = did_you_mean(text, words);
    return fmt::format("\"{}\" is none of {}{}", text, fmt::join(words, ", "),
                       hint.empty() ? "" : " (" + hint + ")");
  };
}

Check alpha_choice() {
  return [](const std::string& text) -> std::string {
    if (text == "fitted" || text == "symmetric") return "";
    constexpr std::string_view kFixed = "fixed:";
    if (text.starts_with(kFixed)) {
      std::string_view value = std::string_view(text).substr(kFixed.size());
      if (value.ends_with("/K")) value.remove_suffix(2);
      const std::optional<double> number = finite(value);
      if (number && *number > 0) return "";
    }
    return fmt::format(
        "\"{}\" is none of fitted, symmetric, fixed:VALUE (VALUE a number above 0, such as 0.1 or "
        "50/K)",
        text);
  };
}

}  // namespace medley::cli
