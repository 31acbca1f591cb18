// SPDX-License-Identifier: Apache-2.0
#include "data/dates.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "data/samples.hpp"

namespace medley::data {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using namespace medley::testing;

std::vector<std::string> parts(const std::vector<std::string>& dates, const std::string& part) {
  RawColumn column{"date", dates, {}};
  for (std::uint32_t i = 0; i < dates.size(); ++i) column.code.push_back(i);
  core::Problems problems;
  take_date_part(column, part, "f.csv", problems);
  problems.throw_if_any();
  std::vector<std::string> cells;
  for (const std::uint32_t code : column.code)
    cells.push_back(code == kMissingCode ? "-" : column.distinct[code]);
  return cells;
}

// The days of the week are those of a calendar.
TEST(DateParts, EveryWayToWriteTheLastDayOfFebruary) {
  const std::vector<std::string> ways = {"2024-02-29",  "29/02/2024",          "29.02.2024",
                                         "29-Feb-2024", "Feb 29, 2024",        "20240229",
                                         "2/29/24",     "2024-02-29T14:05:00Z"};
  for (const std::string& way : ways) {
    EXPECT_THAT(parts({way}, "year"), ElementsAre("2024")) << way;
    EXPECT_THAT(parts({way}, "month"), ElementsAre("02 Feb")) << way;
    EXPECT_THAT(parts({way}, "weekday"), ElementsAre("4 Thu")) << way;
  }
}

TEST(DateParts, OneTellingDateSettlesTheColumn) {
  EXPECT_THAT(parts({"3/4/2024", "31/12/2023"}, "month"), ElementsAre("04 Apr", "12 Dec"));
  EXPECT_THAT(parts({"3/4/2024", "12/31/2023"}, "month"), ElementsAre("03 Mar", "12 Dec"));
  EXPECT_THAT(parts({"3.4.2024"}, "month"), ElementsAre("04 Apr"));
  EXPECT_THAT(complaint([] { (void)parts({"3/4/2024"}, "month"); }),
              HasSubstr("does not say which number is the month"));
  EXPECT_THAT(parts({"3/4/2024"}, "year"), ElementsAre("2024"));
}

TEST(DateParts, WhatHasNoSuchPartIsRefused) {
  for (const char* text : {"14:05", "hello", "1988", "2024-13-01"}) {
    EXPECT_THAT(complaint([&] { (void)parts({text}, "year"); }), HasSubstr("no date")) << text;
  }
  EXPECT_THAT(complaint([] { (void)parts({"2024-03"}, "weekday"); }), HasSubstr("no date with a"));
  EXPECT_THAT(complaint([] { (void)parts({"2023-02-30"}, "weekday"); }), HasSubstr("no date"));
  EXPECT_THAT(parts({"NA", "2024-03"}, "month"), ElementsAre("-", "03 Mar"));
}

}  // namespace
}  // namespace medley::data
