// SPDX-License-Identifier: Apache-2.0
// Reading a cell as a number: the same in every locale, with a decimal point or a decimal comma.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "medley/data.hpp"

namespace medley::data {

/// What the points and commas of a text say about the way numbers are written.
struct WrittenNumber {
  bool number = false;          ///< it can be read as a number at all
  bool decimal_mark[2] = {};    ///< surely a decimal mark: [0] the point, [1] the comma
  bool thousands_mark[2] = {};  ///< surely between groups of three digits
  bool either[2] = {};          ///< one of the two: 5.311, 1,538
};
[[nodiscard]] WrittenNumber writing_of(std::string_view text);

/// A finite number such as 3, -0.5, +1e-3, 3,5 or 1,234.5, by the marks of its column (see
/// NumberMarks); nullopt for anything else. Without marks "1,538" is refused: it is a thousand in
/// one country and one in the next.
[[nodiscard]] std::optional<double> number_in(std::string_view text, const NumberMarks& marks = {});

/// Whether the text is a number past all finite ones: inf, -Infinity, 1e999.
[[nodiscard]] bool is_infinite(std::string_view text);

/// Whether the text is refused only because its point or comma could be either.
[[nodiscard]] bool is_ambiguous_mark(std::string_view text, const NumberMarks& marks = {});

/// `"1,538" could be 1.538 or 1538`, of such a text.
[[nodiscard]] std::string may_be_either(std::string_view text);

/// `comma` or `point`.
[[nodiscard]] std::string_view mark_name(char mark);

}  // namespace medley::data
