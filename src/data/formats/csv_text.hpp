// SPDX-License-Identifier: Apache-2.0
// Lines of CSV for files that our own reader takes back unchanged: cells quoted where they must be,
// numbers in the fewest digits that read back as the same double.
#pragma once

#include <string>
#include <string_view>

namespace medley::data {

/// Appends a cell. Whatever could be taken for a delimiter is quoted, because the reader finds the
/// delimiter in the header; so are blanks at the ends, which are trimmed outside quotes.
void append_cell(std::string& line, std::string_view text);
/// Appends a finite number; whole numbers have no decimal point.
void append_number(std::string& line, double number);

}  // namespace medley::data
