// SPDX-License-Identifier: Apache-2.0
#include "data/formats/statistical_dates.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstdint>

#include "core/text.hpp"
#include "medley/error.hpp"

namespace medley::data {
namespace {

using std::chrono::days;
using std::chrono::sys_days;

constexpr std::int64_t kDaySeconds = 86400;
constexpr sys_days kSpssEpoch{std::chrono::year{1582} / 10 / 14};
constexpr sys_days kEpoch{std::chrono::year{1960} / 1 / 1};
// Far beyond every year we write and far below what overflows.
constexpr double kMostDays = 1e7;

/// In small letters, without width and decimals: "datetime" of "DATETIME22.3".
std::string bare_name(std::string_view shown) {
  const std::size_t last = shown.find_last_not_of("0123456789.");
  return core::lower(shown.substr(0, last == shown.npos ? 0 : last + 1));
}

template <std::size_t N>
bool is_one_of(const std::string& name, const std::array<std::string_view, N>& names) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

std::optional<DateUnit> spss_unit(std::string_view shown) {
  static constexpr std::array<std::string_view, 8> kDates = {"date",  "adate", "edate", "jdate",
                                                             "sdate", "qyr",   "moyr",  "wkyr"};
  static constexpr std::array<std::string_view, 2> kMoments = {"datetime", "ymdhms"};
  const std::string name = bare_name(shown);
  if (is_one_of(name, kDates)) return DateUnit::spss_date;
  if (is_one_of(name, kMoments)) return DateUnit::spss_moment;
  return std::nullopt;
}

/// %td..., %-td... (left-aligned) and %12td; %d is the old way to write %td.
std::optional<DateUnit> stata_unit(std::string_view shown) {
  if (!shown.starts_with('%')) return std::nullopt;
  shown.remove_prefix(std::min(shown.find_first_not_of("-0123456789", 1), shown.size()));
  if (shown.starts_with('d')) return DateUnit::days;
  if (!shown.starts_with('t') || shown.size() < 2) return std::nullopt;
  switch (shown[1]) {
    case 'd':
      return DateUnit::days;
    case 'c':
    case 'C':  // counts leap seconds too; at most half a minute off
      return DateUnit::milliseconds;
    case 'w':
      return DateUnit::weeks;
    case 'm':
      return DateUnit::months;
    case 'q':
      return DateUnit::quarters;
    case 'h':
      return DateUnit::half_years;
    default:
      return std::nullopt;
  }
}

std::optional<DateUnit> sas_unit(std::string_view shown) {
  static constexpr std::array<std::string_view, 12> kMoments = {
      "datetime", "dateampm", "dtdate",  "dtmonyy", "dtwkdatx", "dtyear",
      "dtyyqc",   "mdyampm",  "e8601dt", "b8601dt", "is8601dt", "e8601dn"};
  static constexpr std::array<std::string_view, 18> kDates = {
      "date",     "day",     "ddmmyy",   "downame", "julday",   "julian",
      "mmddyy",   "monname", "monyy",    "month",   "nengo",    "pdjulg",
      "weekdate", "weekday", "weekdatx", "year",    "worddate", "worddatx"};
  // Families of formats: YYMMDDD10 has dashes, MMYYS7 slashes, E8601DA is ISO.
  static constexpr std::array<std::string_view, 10> kDatePrefixes = {
      "ddmmyy", "mmddyy", "yymm", "mmyy", "yyq", "yymon", "qtr", "e8601da", "b8601da", "is8601da"};
  const std::string name = bare_name(shown);
  if (is_one_of(name, kMoments)) return DateUnit::seconds;
  if (is_one_of(name, kDates)) return DateUnit::days;
  for (const std::string_view prefix : kDatePrefixes)
    if (name.starts_with(prefix)) return DateUnit::days;
  return std::nullopt;
}

std::optional<std::string> day_text(sys_days day) {
  const std::chrono::year_month_day date(day);
  const int year = static_cast<int>(date.year());
  if (year < 1 || year > 9999) return std::nullopt;
  return fmt::format("{:04}-{:02}-{:02}", year, static_cast<unsigned>(date.month()),
                     static_cast<unsigned>(date.day()));
}

/// `value` days after `epoch`, whose fraction is dropped.
std::optional<std::string> date_after(sys_days epoch, double value) {
  if (!(std::abs(value) < kMostDays)) return std::nullopt;
  return day_text(epoch + days(integer_of<std::int64_t>(std::floor(value))));
}

std::optional<std::string> moment_after(sys_days epoch, double seconds) {
  const double day_number = std::floor(seconds / static_cast<double>(kDaySeconds));
  std::optional<std::string> text = date_after(epoch, day_number);
  if (!text) return std::nullopt;
  const double rest = seconds - day_number * static_cast<double>(kDaySeconds);
  const std::int64_t second =
      std::clamp<std::int64_t>(nearest_integer_of<std::int64_t>(rest), 0, kDaySeconds - 1);
  return *text + fmt::format("T{:02}:{:02}:{:02}", second / 3600, second / 60 % 60, second % 60);
}

/// The first day of the period `value` periods after 1960 began, `per_year` of them a year.
std::optional<std::string> period_start(double value, std::int64_t per_year) {
  if (!(std::abs(value) < kMostDays)) return std::nullopt;
  const double count = std::floor(value);
  const double years = std::floor(count / static_cast<double>(per_year));
  const auto within = integer_of<std::int64_t>(count - years * static_cast<double>(per_year));
  const double year = 1960 + years;
  if (year < 1 || year > 9999) return std::nullopt;
  const std::chrono::year in_year(integer_of<int>(year));
  if (per_year == 52) return day_text(sys_days{in_year / 1 / 1} + days(7 * within));
  const auto month = static_cast<unsigned>(1 + within * (12 / per_year));
  return day_text(sys_days{in_year / std::chrono::month(month) / 1});
}

}  // namespace

std::optional<DateUnit> date_unit(Format format, std::string_view shown) {
  switch (format) {
    case Format::sav:
    case Format::por:
      return spss_unit(shown);
    case Format::dta:
      return stata_unit(shown);
    case Format::sas7bdat:
    case Format::xpt:
      return sas_unit(shown);
    default:
      return std::nullopt;
  }
}

std::optional<std::string> iso_date(DateUnit unit, double value) {
  switch (unit) {
    case DateUnit::spss_date:
      return date_after(kSpssEpoch, std::floor(value / static_cast<double>(kDaySeconds)));
    case DateUnit::spss_moment:
      return moment_after(kSpssEpoch, value);
    case DateUnit::days:
      return date_after(kEpoch, value);
    case DateUnit::seconds:
      return moment_after(kEpoch, value);
    case DateUnit::milliseconds:
      return moment_after(kEpoch, std::floor(value / 1000));
    case DateUnit::weeks:
      return period_start(value, 52);
    case DateUnit::months:
      return period_start(value, 12);
    case DateUnit::quarters:
      return period_start(value, 4);
    case DateUnit::half_years:
      return period_start(value, 2);
  }
  return std::nullopt;
}

}  // namespace medley::data
