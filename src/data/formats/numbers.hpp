// SPDX-License-Identifier: Apache-2.0
// Numbers and blank-separated fields out of text, checked: the whole text is the number or it is
// none.
#pragma once

#include <charconv>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <string_view>

namespace medley::data {

/// Word ids, rows and columns of sparse files stay below this.
inline constexpr std::uint64_t kMaxIndex = std::uint64_t{1} << 31;
/// Counts stay below this.
inline constexpr double kMaxCount = 1e9;

/// A non-negative whole number that fits 64 bits.
[[nodiscard]] inline std::optional<std::uint64_t> parse_whole(std::string_view text) {
  std::uint64_t number = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, number);
  if (error != std::errc{} || stop != end || text.empty()) return std::nullopt;
  return number;
}

/// A finite number in decimal notation; a leading + is allowed.
[[nodiscard]] inline std::optional<double> parse_number(std::string_view text) {
  if (text.starts_with('+') && !text.starts_with("+-")) text.remove_prefix(1);
  double number = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, number);
  if (error != std::errc{} || stop != end || text.empty() || !std::isfinite(number))
    return std::nullopt;
  return number;
}

/// Reads a count into `count`. Returns what is wrong with it in words, or nothing.
[[nodiscard]] inline std::string_view parse_count(std::string_view text, float& count) {
  const std::optional<double> number = parse_number(text);
  if (!number) return "is not a number";
  if (*number < 0) return "is negative, a count is not";
  if (*number > kMaxCount) return "is too large for a count";
  if (*number > 0 && *number < static_cast<double>(std::numeric_limits<float>::min()))
    return "is too small for a count";
  count = static_cast<float>(std::abs(*number));  // -0 becomes 0
  return {};
}

/// Cuts the next blank-separated field off the front of `rest`; empty when there is none left.
[[nodiscard]] inline std::string_view next_field(std::string_view& rest) {
  constexpr std::string_view kBlanks = " \t";
  const std::size_t start = rest.find_first_not_of(kBlanks);
  if (start == std::string_view::npos) return rest = {};
  const std::size_t end = rest.find_first_of(kBlanks, start);
  const std::string_view field = rest.substr(start, end - start);
  rest.remove_prefix(end == std::string_view::npos ? rest.size() : end);
  return field;
}

}  // namespace medley::data
