// SPDX-License-Identifier: Apache-2.0
// Reading a cell as a number: the same in every locale, with a decimal point or a decimal comma.
#pragma once

#include <optional>
#include <string_view>

namespace medley::data {

/// A finite number such as 3, -0.5, +1e-3 or 3,5; nullopt for anything else. "1,000" is refused: it
/// is a thousand in one country and one in the next.
[[nodiscard]] std::optional<double> number_in(std::string_view text);

/// Whether the text is a number past all finite ones: inf, -Infinity, 1e999.
[[nodiscard]] bool is_infinite(std::string_view text);

/// Whether the text is refused only because its comma could be either.
[[nodiscard]] bool is_ambiguous_comma(std::string_view text);

}  // namespace medley::data
