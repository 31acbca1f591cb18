// SPDX-License-Identifier: Apache-2.0
#include "report/layout.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace medley::report {
namespace {

/// Every byte but a UTF-8 continuation begins a character.
bool begins_character(char byte) {
  return (static_cast<unsigned char>(byte) & 0xC0U) != 0x80U;
}

}  // namespace

std::size_t width_of(std::string_view text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), begins_character));
}

std::string shortened(std::string_view text, std::size_t width) {
  if (width_of(text) <= width) return std::string(text);
  if (width == 0) return {};
  std::size_t end = 0;
  for (std::size_t characters = 0; end < text.size(); ++end) {
    if (begins_character(text[end]) && ++characters == width) break;
  }
  return std::string(text.substr(0, end)) + "…";
}

std::string left(std::string_view text, std::size_t width) {
  const std::size_t used = width_of(text);
  return std::string(text) + std::string(width > used ? width - used : 0, ' ');
}

std::string right(std::string_view text, std::size_t width) {
  const std::size_t used = width_of(text);
  return std::string(width > used ? width - used : 0, ' ') + std::string(text);
}

std::string bar(double share, std::size_t width) {
  static constexpr std::array<std::string_view, 8> kEighths = {"",  "▏", "▎", "▍",
                                                               "▌", "▋", "▊", "▉"};
  const double clamped = share > 0 ? std::min(share, 1.0) : 0.0;
  const auto eighths =
      static_cast<std::size_t>(std::lround(clamped * 8 * static_cast<double>(width)));
  std::string out;
  for (std::size_t i = 0; i < eighths / 8; ++i) out += "█";
  out += kEighths.at(eighths % 8);
  return out;
}

std::vector<std::string> wrapped(const std::vector<std::string>& words, std::size_t width) {
  std::vector<std::string> lines(1);
  for (const std::string& word : words) {
    const std::string piece = shortened(word, width);
    const std::size_t used = width_of(lines.back());
    if (used > 0 && used + 1 + width_of(piece) > width) lines.emplace_back();
    if (!lines.back().empty()) lines.back() += ' ';
    lines.back() += piece;
  }
  return lines;
}

}  // namespace medley::report
