// SPDX-License-Identifier: Apache-2.0
// The body that UCI docword and Matrix Market files share: lines `row word count`, numbered from 1,
// in any order, behind a header that gives the sizes. The sizes are believed only after the lines
// agree.
#pragma once

#include <cstdint>
#include <string>

#include "data/formats/counts.hpp"
#include "data/formats/text_lines.hpp"
#include "data/raw.hpp"

namespace medley::data {

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

}  // namespace medley::data
