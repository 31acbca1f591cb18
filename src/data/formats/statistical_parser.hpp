// SPDX-License-Identifier: Apache-2.0
// The child's side of reading an SPSS, Stata or SAS file: ReadStat parses, and what it finds goes
// out as the frames of statistical_frames.hpp. ReadStat is written in C and trusts its input more
// than it should; run this in a child process (core/child_process.hpp) only.
//
// Numbers become the shortest text that reads back as the same number, whole ones without a point,
// so that the code 1 is "1" in every format; dates become ISO text. A
// system-missing number is a missing cell. A user-missing one keeps its code, marked as such: an
// SPSS value in a missing range, or ".a" to ".z" (Stata; ".A" to ".Z" and "._" in SAS).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "core/files.hpp"
#include "medley/io.hpp"

namespace medley::data {

// Dates in SPSS, Stata and SAS files are plain numbers; the variable's display format tells that
// they are dates. Here they become ISO 8601 text: 1987-03-04 or 1987-03-04T12:30:00. Times of day
// and durations stay numbers (seconds), and so do calendar parts such as Stata's %ty (a year).

/// What the numbers of a date variable count.
enum class DateUnit {
  spss_date,     ///< seconds since 1582-10-14, shown as a date
  spss_moment,   ///< the same, shown with the time of day
  days,          ///< since 1960-01-01, as the rest of these
  seconds,       ///< SAS
  milliseconds,  ///< Stata %tc
  weeks,         ///< Stata %tw: 52 a year, the last has eight or nine days
  months,
  quarters,
  half_years
};

/// The unit of a variable with the display format `shown` ("DATE11", "%tdD_m_Y", "MMDDYY10.") in a
/// file of `format`; none if it is no date.
[[nodiscard]] std::optional<DateUnit> date_unit(Format format, std::string_view shown);

/// The date that `value` stands for; the first day of a week, month, quarter or half-year. None if
/// it is outside the years 1 to 9999.
[[nodiscard]] std::optional<std::string> iso_date(DateUnit unit, double value);

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
