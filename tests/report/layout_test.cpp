// SPDX-License-Identifier: Apache-2.0
#include "report/layout.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace medley::report {
namespace {

TEST(Layout, WidthCountsCodePoints) {
  EXPECT_EQ(width_of("naïve ☃"), 7U);
}

TEST(Layout, LongTextEndsInAnEllipsisAndFits) {
  EXPECT_EQ(shortened("abcdef", 4), "abc…");
  EXPECT_EQ(shortened("abcd", 4), "abcd");
  EXPECT_EQ(shortened("ééééé", 3), "éé…");
  EXPECT_EQ(shortened("abc", 0), "");
  EXPECT_EQ(shortened("abc", 1), "…");
}

TEST(Layout, PadsToTheWidth) {
  EXPECT_EQ(left("é", 3), "é  ");
  EXPECT_EQ(right("12", 4), "  12");
  EXPECT_EQ(right("12345", 4), "12345");
}

TEST(Layout, BarsAreAsLongAsTheShare) {
  EXPECT_EQ(bar(0, 10), "");
  EXPECT_EQ(bar(0.5, 4), "██");
  EXPECT_EQ(bar(1, 2), "██");
  EXPECT_EQ(bar(7, 2), "██");
  EXPECT_EQ(bar(1.0 / 16, 2), "▏");
}

TEST(Layout, WordsAreWrappedAtTheWidth) {
  EXPECT_THAT(wrapped({"aa", "bb", "cc"}, 5), testing::ElementsAre("aa bb", "cc"));
  EXPECT_THAT(wrapped({"abcdefgh"}, 5), testing::ElementsAre("abcd…"));
  EXPECT_THAT(wrapped({}, 5), testing::ElementsAre(""));
}

}  // namespace
}  // namespace medley::report
