// SPDX-License-Identifier: Apache-2.0
// Numbers in cells: reading them, which decimal mark a file has, and what a family cannot take.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "data/catalogue.hpp"
#include "data/cells.hpp"
#include "data/column_facts.hpp"
#include "data/raw.hpp"
#include "medley/data.hpp"
#include "medley/error.hpp"
#include "medley/io.hpp"

namespace medley::data {

// Reading a cell as a number: the same in every locale, with a decimal point or a decimal comma.

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

// Which mark the numbers of a file have before their decimals, and which between their thousands.
//
// A cell such as 5,3456 or 5.739,46 tells; 1,538 and 5.311 do not. What a column's own cells leave
// open the other columns decide, and where they say nothing the delimiter: a file whose cells are
// separated by ; or tabs was written where the comma is the decimal mark. Cells are looked at as
// the reader left them, so a pipe is read once.

/// Sets `marks` of the source and `numbers` of its columns. With a decimal mark that was asked for,
/// that one everywhere.
void settle_marks(RawSource& source, const MissingStrings& missing, Decimal asked);

/// How a column's numbers are to be read, given what a schema says of it: what its file surely
/// tells goes first.
[[nodiscard]] NumberMarks marks_by(const NumberMarks& schema, const WrittenNumbers& written,
                                   Decimal asked);

/// "numbers with a decimal comma", "... and points between thousands"; empty for plain numbers.
[[nodiscard]] std::string marks_in_words(const NumberMarks& marks);

// Which cells of a column of numbers its family cannot take, and what to say of them.

class NumberCheck {
 public:
  /// Keeps references to cells, column and catalogue. `fixed`: the family comes from a schema that
  /// was given, so
  /// --column is no way out.
  NumberCheck(const CodedCells& cells, const ColumnSpec& column, MissingStrings missing,
              const FamilyCatalogue& catalogue, bool fixed);

  /// Whether a text is missing, or a number that the family takes.
  [[nodiscard]] bool takes(const std::string& text) const;
  /// Makes bad those of the cells (one per distinct text) that hold a number the family refuses.
  void mark_refused(std::vector<Cell>& cells) const;
  /// `where`: `-1 is below 0; poisson takes whole numbers from 0 (use --column visits=gaussian, or
  /// --na -1)`; only for a text that is not taken.
  [[nodiscard]] Problem problem(const std::string& where, const std::string& text);

 private:
  [[nodiscard]] std::string refusal(double number) const;
  /// A family that takes the whole column; empty if there is none.
  [[nodiscard]] std::string other_family() const;

  const std::vector<std::string>& distinct_;
  const std::vector<std::uint32_t>& code_;
  const ColumnSpec& column_;
  MissingStrings missing_;
  const FamilyCatalogue& catalogue_;
  bool fixed_;
  std::optional<std::string> other_;  // computed when first needed
};

}  // namespace medley::data
