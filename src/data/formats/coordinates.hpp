// SPDX-License-Identifier: Apache-2.0
// Files of coordinates (row, word, count): UCI docword and Matrix Market.
#pragma once

#include <cstdint>
#include <string>

#include "core/files.hpp"
#include "data/formats/counts.hpp"
#include "data/formats/text_lines.hpp"
#include "data/raw.hpp"

namespace medley::data {

// The body that UCI docword and Matrix Market files share: lines `row word count`, numbered from 1,
// in any order, behind a header that gives the sizes. The sizes are believed only after the lines
// agree.

struct CoordinateHeader {
  std::uint64_t rows = 0, words = 0, entries = 0;
  std::string where;                 ///< file:line of the header
  std::string row_noun = "row";      ///< "document", "row"
  std::string word_noun = "column";  ///< "word", "column"
  bool counted = true;               ///< false: lines are `row word`, each counts 1
  char comment = '\0';               ///< lines that start with it are skipped; NUL: none
};

/// Reads the rest of `lines`. Throws InputError listing every line out of range or not understood.
[[nodiscard]] RawCounts read_coordinates(TextLines& lines, const CoordinateHeader& header,
                                         const CountsOptions& options);

// The UCI bag-of-words format: three lines with the numbers of documents, words and counts, then
// lines `document word count`, numbered from 1, in any order.

[[nodiscard]] RawCounts read_docword(core::ByteSource& source, const CountsOptions& options);

// Matrix Market coordinate files: `%%MatrixMarket matrix coordinate real|integer|pattern general`,
// then comments (%), a line `rows columns entries`, and lines `row column value`. Rows are
// documents, columns are words, values are counts; in a pattern every entry counts 1.

[[nodiscard]] RawCounts read_matrix_market(core::ByteSource& source, const CountsOptions& options);

}  // namespace medley::data
