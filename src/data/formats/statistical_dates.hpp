// SPDX-License-Identifier: Apache-2.0
// Dates in SPSS, Stata and SAS files are plain numbers; the variable's display format tells that
// they are dates. Here they become ISO 8601 text: 1987-03-04 or 1987-03-04T12:30:00. Times of day
// and durations stay numbers (seconds), and so do calendar parts such as Stata's %ty (a year).
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "medley/io.hpp"

namespace medley::data {

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

}  // namespace medley::data
