// SPDX-License-Identifier: Apache-2.0
// Text in columns. Widths are counted in code points: right for most scripts, an approximation for
// wide (East Asian) and combining characters.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace medley::report {

[[nodiscard]] std::size_t width_of(std::string_view text);
/// The text, at most `width` wide; a longer one ends in "…".
[[nodiscard]] std::string shortened(std::string_view text, std::size_t width);
/// The text padded with blanks to `width`, aligned left or right.
[[nodiscard]] std::string left(std::string_view text, std::size_t width);
[[nodiscard]] std::string right(std::string_view text, std::size_t width);
/// A share as a bar of at most `width` characters, to an eighth of a character.
[[nodiscard]] std::string bar(double share, std::size_t width);
/// Words joined by blanks and broken into lines of at most `width`; longer words are shortened.
[[nodiscard]] std::vector<std::string> wrapped(const std::vector<std::string>& words,
                                               std::size_t width);

}  // namespace medley::report
