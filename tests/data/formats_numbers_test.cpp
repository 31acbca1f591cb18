// SPDX-License-Identifier: Apache-2.0
#include "data/formats/numbers.hpp"

#include <gtest/gtest.h>

namespace medley::data {
namespace {

TEST(ParseWhole, TheWholeTextMustBeANumberOf64Bits) {
  EXPECT_EQ(parse_whole("18446744073709551615"), 18446744073709551615U);
  for (const char* text : {"", "18446744073709551616", "-1", "+1", "1.0", " 1", "1 ", "0x1"})
    EXPECT_FALSE(parse_whole(text)) << text;
}

TEST(ParseNumber, FiniteDecimalNumbersOnly) {
  EXPECT_EQ(parse_number("+1.5e2"), 150.0);
  EXPECT_EQ(parse_number("-.5"), -0.5);
  for (const char* text : {"", "+", "+-1", "++1", "inf", "nan", "1e999", "1,5", "1x", "0x10"})
    EXPECT_FALSE(parse_number(text)) << text;
}

TEST(ParseCount, SaysWhatIsWrong) {
  float count = -1;
  EXPECT_EQ(parse_count("2.5", count), "");
  EXPECT_EQ(count, 2.5F);
  EXPECT_EQ(parse_count("-0", count), "");
  EXPECT_FALSE(std::signbit(count));
  EXPECT_NE(parse_count("-1", count), "");
  EXPECT_NE(parse_count("1e31", count), "");
  EXPECT_NE(parse_count("1e-300", count), "");
}

TEST(NextField, FieldsAreCutAtBlanks) {
  std::string_view rest = " a\t bc ";
  EXPECT_EQ(next_field(rest), "a");
  EXPECT_EQ(next_field(rest), "bc");
  EXPECT_EQ(next_field(rest), "");
  EXPECT_EQ(next_field(rest), "");
}

}  // namespace
}  // namespace medley::data
