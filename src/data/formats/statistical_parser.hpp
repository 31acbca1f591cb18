// SPDX-License-Identifier: Apache-2.0
// The child's side of reading an SPSS, Stata or SAS file: ReadStat parses, and what it finds goes
// out as the frames of statistical_frames.hpp. ReadStat is written in C and trusts its input more
// than it should; run this in a child process (core/child_process.hpp) only.
//
// Numbers become the shortest text that reads back as the same number, whole ones without a point,
// so that the code 1 is "1" in every format; dates become ISO text (statistical_dates.hpp). A
// system-missing number is a missing cell. A user-missing one keeps its code, marked as such: an
// SPSS value in a missing range, or ".a" to ".z" (Stata; ".A" to ".Z" and "._" in SAS).
#pragma once

#include <cstdint>

#include "core/files.hpp"
#include "medley/io.hpp"

namespace medley::data {

/// Why the parser gave up: the number in a `failed` frame.
enum class ParserError : std::uint64_t { memory, cut_off, charset, version, damaged, long_text };

struct ParserOptions {
  Format format = Format::sav;
  /// For a file whose text is not in the character set it declares. If that is UTF-8, bytes come
  /// out as they are; else each stands for one letter (ISO 8859-1), so that different texts stay
  /// so.
  bool any_charset = false;
};

/// Parses the open file `input`.
void parse_statistical(int input, const ParserOptions& options, core::FileWriter& output);

}  // namespace medley::data
