// SPDX-License-Identifier: Apache-2.0
// Which mark the numbers of a file have before their decimals, and which between their thousands.
//
// A cell such as 5,3456 or 5.739,46 tells; 1,538 and 5.311 do not. What a column's own cells leave
// open the other columns decide, and where they say nothing the delimiter: a file whose cells are
// separated by ; or tabs was written where the comma is the decimal mark. Cells are looked at as
// the reader left them, so a pipe is read once.
#pragma once

#include <string>

#include "data/missing.hpp"
#include "data/raw.hpp"
#include "medley/io.hpp"

namespace medley::data {

/// Sets `marks` of the source and `numbers` of its columns. With a decimal mark that was asked for,
/// that one everywhere.
void settle_marks(RawSource& source, const MissingStrings& missing, Decimal asked);

/// How a column's numbers are to be read, given what a schema says of it: what its file surely
/// tells goes first.
[[nodiscard]] NumberMarks marks_by(const NumberMarks& schema, const WrittenNumbers& written,
                                   Decimal asked);

/// "numbers with a decimal comma", "... and points between thousands"; empty for plain numbers.
[[nodiscard]] std::string marks_in_words(const NumberMarks& marks);

}  // namespace medley::data
