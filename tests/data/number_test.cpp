// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>

#include "data/message_text.hpp"
#include "data/number.hpp"

namespace medley::data {
namespace {

TEST(Number, ReadsPointsCommasSignsAndExponents) {
  EXPECT_EQ(number_in("3"), 3.0);
  EXPECT_EQ(number_in("-0.5"), -0.5);
  EXPECT_EQ(number_in("+1e-3"), 1e-3);
  EXPECT_EQ(number_in(".25"), 0.25);
  EXPECT_EQ(number_in("3,5"), 3.5);
  EXPECT_EQ(number_in("-1234,5678"), -1234.5678);
  EXPECT_EQ(number_in("0,125"), 0.125);
  EXPECT_EQ(number_in("1e-999"), 0.0);
}

TEST(Number, RefusesWhatIsNotOneFiniteNumber) {
  for (const char* text :
       {"",      "abc",    "3x",        "x3", "inf", "-inf", "nan", "1e999", "--3", "+-3",
        "1,2,3", "1.00,5", "1,000.5,5", ",5", "5,",  "0x10", " 3",  "3 ",    "+",   "-"}) {
    EXPECT_FALSE(number_in(text).has_value()) << text;
  }
}

TEST(Number, RefusesACommaThatCouldSeparateThousands) {
  EXPECT_FALSE(number_in("1,000").has_value());
  EXPECT_TRUE(is_ambiguous_mark("-12,345"));
  EXPECT_FALSE(is_ambiguous_mark("12,34"));
  EXPECT_FALSE(is_ambiguous_mark("1234,567"));
  EXPECT_FALSE(is_ambiguous_mark("12.345"));
}

TEST(Number, MarksOfTheColumnSettleWhatCouldBeEither) {
  constexpr NumberMarks kComma = {',', '\0'};
  EXPECT_EQ(number_in("1,538", kComma), 1.538);
  EXPECT_EQ(number_in("-12,345", kComma), -12.345);
  EXPECT_EQ(number_in("1,538", kCommaOnly), 1.538);
  EXPECT_EQ(number_in("1,538", kPointOnly), 1538.0);
  EXPECT_EQ(number_in("5.311", kCommaOnly), 5311.0);
  EXPECT_EQ(number_in("5.311", kPointOnly), 5.311);
  EXPECT_EQ(number_in("5.311"), 5.311);
  EXPECT_TRUE(is_ambiguous_mark("5.311", kComma));
  EXPECT_EQ(may_be_either("5.311"), "\"5.311\" could be 5.311 or 5311");
}

TEST(Number, GroupsOfThreeAreReadAndOthersRefused) {
  for (const NumberMarks& marks : {NumberMarks{}, NumberMarks{',', '\0'}}) {
    EXPECT_EQ(number_in("5.739,46", marks), 5739.46);
    EXPECT_EQ(number_in("-1,234,567.5", marks), -1234567.5);
    EXPECT_EQ(number_in("1.234.567", marks), 1234567.0);
    EXPECT_EQ(number_in("3,5", marks), 3.5);
    EXPECT_EQ(number_in("2.25", marks), 2.25);
    for (const char* text : {"5.73,46", "12.34.567", "0.123.456", "1,23,456", "1.234,5,6"})
      EXPECT_FALSE(number_in(text, marks).has_value()) << text;
  }
  EXPECT_FALSE(number_in("2.25", kCommaOnly).has_value());
  EXPECT_FALSE(number_in("2,25", kPointOnly).has_value());
  EXPECT_EQ(number_in("1e5", kCommaOnly), 1e5);
}

TEST(Wording, SuggestsTheNearestNameOrNone) {
  const std::vector<std::string> names = {"age", "income", "region"};
  EXPECT_EQ(closest("incme", names), "income");
  EXPECT_EQ(closest("AGE", names), "age");
  EXPECT_EQ(closest("height", names), "");
  EXPECT_EQ(closest("x", {"y"}), "");
  EXPECT_EQ(listed({"a", "b", "c"}, 2), "\"a\", \"b\" and 1 more");
  EXPECT_EQ(counted(1, "row") + ", " + counted(2, "row"), "1 row, 2 rows");
}

}  // namespace
}  // namespace medley::data
