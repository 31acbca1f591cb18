// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>

#include "data/number.hpp"
#include "data/wording.hpp"

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
  for (const char* text : {"", "abc", "3x", "x3", "inf", "-inf", "nan", "1e999", "--3", "+-3",
                           "1,2,3", "1.000,5", ",5", "5,", "0x10", " 3", "3 ", "+", "-"}) {
    EXPECT_FALSE(number_in(text).has_value()) << text;
  }
}

TEST(Number, RefusesACommaThatCouldSeparateThousands) {
  EXPECT_FALSE(number_in("1,000").has_value());
  EXPECT_TRUE(is_ambiguous_comma("-12,345"));
  EXPECT_FALSE(is_ambiguous_comma("12,34"));
  EXPECT_FALSE(is_ambiguous_comma("1234,567"));
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
