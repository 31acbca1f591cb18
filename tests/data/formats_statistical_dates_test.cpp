// SPDX-License-Identifier: Apache-2.0
// Dates from the manuals of the three programs, and from counting days by hand.
#include "data/formats/statistical_parser.hpp"

#include <gtest/gtest.h>

#include <limits>

namespace medley::data {
namespace {

std::string shown(Format format, const char* style, double value) {
  const auto unit = date_unit(format, style);
  if (!unit) return "no date";
  return iso_date(*unit, value).value_or("none");
}

TEST(StatisticalDates, SpssCountsSecondsSinceTheGregorianCalendarBegan) {
  EXPECT_EQ(shown(Format::sav, "DATE11", 86400), "1582-10-15");
  EXPECT_EQ(shown(Format::sav, "ADATE10", 86399), "1582-10-14");
  // SPSS documents 13166064000 for 1 January 2000.
  EXPECT_EQ(shown(Format::sav, "SDATE10", 13166064000.0), "2000-01-01");
  EXPECT_EQ(shown(Format::por, "DATETIME23.2", 13166064000.0 + 86399.99), "2000-01-01T23:59:59");
  EXPECT_EQ(shown(Format::sav, "MOYR8", 13166064000.0), "2000-01-01");
  for (const char* other : {"F8.2", "TIME8", "DTIME12", "WKDAY9", "MONTH9", "A8", "", "COMMA12.2"})
    EXPECT_EQ(shown(Format::sav, other, 1), "no date") << other;
}

TEST(StatisticalDates, StataCountsFrom1960) {
  EXPECT_EQ(shown(Format::dta, "%td", 0), "1960-01-01");
  EXPECT_EQ(shown(Format::dta, "%tdD_m_Y", 59), "1960-02-29");
  EXPECT_EQ(shown(Format::dta, "%d", -1), "1959-12-31");
  EXPECT_EQ(shown(Format::dta, "%-td", 14610), "2000-01-01");
  EXPECT_EQ(shown(Format::dta, "%12td", 14610.9), "2000-01-01");
  EXPECT_EQ(shown(Format::dta, "%tc", 14610 * 86400e3 + 45296000), "2000-01-01T12:34:56");
  EXPECT_EQ(shown(Format::dta, "%tC", -1), "1959-12-31T23:59:59");
  EXPECT_EQ(shown(Format::dta, "%tw", 51), "1960-12-23");
  EXPECT_EQ(shown(Format::dta, "%tw", 52), "1961-01-01");
  EXPECT_EQ(shown(Format::dta, "%tm", -1), "1959-12-01");
  EXPECT_EQ(shown(Format::dta, "%tm", 480), "2000-01-01");
  EXPECT_EQ(shown(Format::dta, "%tq", 161), "2000-04-01");
  EXPECT_EQ(shown(Format::dta, "%th", 81), "2000-07-01");
  for (const char* other : {"%9.0g", "%ty", "%8s", "%t", "%", "", "td"})
    EXPECT_EQ(shown(Format::dta, other, 1), "no date") << other;
}

TEST(StatisticalDates, SasCountsDaysOrSecondsFrom1960) {
  for (const char* date : {"DATE9", "DATE9.", "DDMMYY10.", "MMDDYYS10", "YYMMDDN8", "MONYY7.",
                           "E8601DA10.", "WORDDATE18.", "YYQ6."})
    EXPECT_EQ(shown(Format::sas7bdat, date, 14610), "2000-01-01") << date;
  for (const char* moment : {"DATETIME22.3", "datetime", "E8601DT19.", "DTDATE9."})
    EXPECT_EQ(shown(Format::xpt, moment, 14610 * 86400.0 + 1), "2000-01-01T00:00:01") << moment;
  for (const char* other : {"BEST12.", "TIME8.", "HHMM5.", "F8.", "DOLLAR10.2", "", "8.2"})
    EXPECT_EQ(shown(Format::sas7bdat, other, 1), "no date") << other;
}

TEST(StatisticalDates, OutsideTheYearsWeWriteThereIsNone) {
  const double inf = std::numeric_limits<double>::infinity();
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (const char* style : {"%td", "%tc", "%tm", "%tw"}) {
    for (const double value : {1e300, -1e300, inf, -inf, nan})
      EXPECT_EQ(shown(Format::dta, style, value), "none") << style << value;
  }
  EXPECT_EQ(shown(Format::dta, "%td", 2936549), "9999-12-31");
  EXPECT_EQ(shown(Format::dta, "%td", 2936550), "none");
  EXPECT_EQ(shown(Format::dta, "%td", -715509), "0001-01-01");
  EXPECT_EQ(shown(Format::dta, "%td", -715510), "none");
  EXPECT_EQ(date_unit(Format::csv, "%td"), std::nullopt);
}

}  // namespace
}  // namespace medley::data
