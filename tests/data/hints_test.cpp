// SPDX-License-Identifier: Apache-2.0
#include "data/hints.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/files.hpp"
#include "data/formats/csv.hpp"
#include "data/samples.hpp"

namespace medley::data {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Pair;
using namespace medley::testing;

RawTable csv(const std::string& text) {
  return read_csv(*core::ByteSource::from_memory(text, "x.csv"), {});
}

ColumnSummary summary(const std::vector<std::pair<std::string, int>>& values) {
  std::vector<std::string> distinct;
  std::vector<std::uint32_t> code;
  for (const auto& [text, count] : values) {
    code.insert(code.end(), static_cast<std::size_t>(count),
                static_cast<std::uint32_t>(distinct.size()));
    distinct.push_back(text);
  }
  return summarise({distinct, code}, MissingStrings({}));
}

TEST(Hints, DontKnowBesideAScaleAndTheCodeBesideIt) {
  const auto scale = [](std::vector<std::pair<std::string, int>> more) {
    for (const char* answer : {"1", "2", "3", "4", "5"}) more.emplace_back(answer, 20);
    return text_beside_scale(summary(more));
  };
  EXPECT_THAT(scale({{"Don't know", 7}}), AllOf(HasSubstr("\"Don't know\" occurs 7 times"),
                                                HasSubstr("missing = [\"Don't know\"]")));
  EXPECT_THAT(scale({{"Don't know", 7}, {"9", 8}}),
              AllOf(HasSubstr("9 occurs 8 times"), HasSubstr("missing = [\"Don't know\", \"9\"]")));
  EXPECT_THAT(scale({}), IsEmpty());
  EXPECT_THAT(scale({{"a", 5}, {"b", 5}, {"c", 5}, {"d", 5}}), IsEmpty());
  EXPECT_THAT(text_beside_scale(summary({{"A1", 5}, {"7", 5}, {"12", 5}, {"30", 5}})), IsEmpty());
}

TEST(Hints, LevelsThatDifferInCaseOrBlanks) {
  EXPECT_THAT(twin_levels(summary({{"Yes", 3}, {"yes", 2}, {"YES ", 1}, {"no", 4}})),
              AllOf(HasSubstr("\"YES \", \"Yes\", \"yes\""), HasSubstr("case")));
  EXPECT_THAT(twin_levels(summary({{"TRUE", 3}, {"True", 2}})), HasSubstr("\"TRUE\", \"True\""));
  EXPECT_THAT(twin_levels(summary({{"yes", 3}, {"no", 2}})), IsEmpty());
}

TEST(Hints, AFileWithoutAHeader) {
  EXPECT_THAT(data_as_names(csv("-0.132,5\n0.5,3\n1.25,4\n")), HasSubstr("the first line"));
  EXPECT_THAT(data_as_names(csv("2019,2020,2021\n3,4,5\n5,6,7\n")), IsEmpty());
  EXPECT_THAT(data_as_names(csv("x,5\n0.5,3\n")), IsEmpty());
  EXPECT_THAT(data_as_names(csv("1.5,5\na,3\n")), IsEmpty());
  EXPECT_THAT(data_as_names(csv("-0.6,3,yes\n0.5,3,no\n1,4,yes\n")), HasSubstr("holds values"));
  EXPECT_THAT(data_as_names(csv("yes,no\nno,no\nyes,yes\n")), HasSubstr("holds values"));
  EXPECT_THAT(data_as_names(csv("-0.6,3,yes\n0.5,3,no\n1,4,maybe\n")), IsEmpty());
  EXPECT_THAT(data_as_names(csv("x,yes\n0.5,yes\n1,no\n")), IsEmpty());
}

TEST(Hints, ColumnsWithTheSameCells) {
  std::string text = "a,b,c,d\n";
  for (int i = 0; i < 12; ++i) {
    const std::string cell = std::to_string(i % 4);
    text += cell + ',' + std::to_string(i % 3) + ',' + cell + ',' + (i == 11 ? "9" : cell) + '\n';
  }
  EXPECT_THAT(copied_columns(csv(text)), ElementsAre(Pair(2U, 0U)));
}

TEST(ColumnWarnings, WhatHoldsForManyColumnsIsSaidOnce) {
  const auto doubt = [](int times, const std::string& code) {
    return ": " + code + " occurs " + std::to_string(times) +
           " times: a code for missing? Put missing = [\"" + code + "\"] into the schema";
  };
  ColumnWarnings warnings;
  warnings.add("a.csv", "q1", doubt(12, "99"));
  warnings.add("a.csv", "date", " is left out: it holds dates; --column date=year takes a part");
  for (const char* column : {"q2", "q3", "q4"}) warnings.add("a.csv", column, doubt(7, "99"));
  warnings.add("a.csv", "q5", doubt(7, "9"));  // another code: told apart
  warnings.add("b.csv", "q6", doubt(7, "99"));
  EXPECT_THAT(warnings.lines(),
              ElementsAre(AllOf(HasSubstr("a.csv: column \"q1\": 99 occurs 12 times"),
                                HasSubstr("; the same in 3 other columns: \"q2\", \"q3\", \"q4\"")),
                          HasSubstr("column \"date\" is left out"), HasSubstr("\"q5\": 9 occurs"),
                          HasSubstr("b.csv: column \"q6\"")));
}

TEST(ColumnWarnings, TheNameOfAColumnDoesNotTellItsSentenceApart) {
  const auto dates = [](std::size_t count) {
    ColumnWarnings warnings;
    for (const char* name : {"first", "second", "third", "fourth"}) {
      if (count-- == 0) break;
      warnings.add("a.csv", name, " holds dates; --column " + std::string(name) + "=year");
    }
    return warnings;
  };
  EXPECT_EQ(dates(3).lines().size(), 3U);  // a few are said one by one
  EXPECT_EQ(dates(4).lines().size(), 1U);
  ColumnWarnings last = dates(4);
  last.append(" or =month");  // goes on with the last one alone
  EXPECT_EQ(last.lines().size(), 4U);
  EXPECT_THAT(last.lines().back(), HasSubstr("fourth=year or =month"));
}

}  // namespace
}  // namespace medley::data
