// SPDX-License-Identifier: Apache-2.0
#include "report/numbers.hpp"

#include <gtest/gtest.h>

#include <limits>

namespace medley::report {
namespace {

TEST(Numbers, ThousandsAreSetApart) {
  EXPECT_EQ(grouped(std::size_t{0}), "0");
  EXPECT_EQ(grouped(std::size_t{999}), "999");
  EXPECT_EQ(grouped(std::size_t{1000}), "1,000");
  EXPECT_EQ(grouped(std::size_t{1234567}), "1,234,567");
  EXPECT_EQ(grouped(-123.456, 1), "-123.5");
  EXPECT_EQ(grouped(-153912.449, 2), "-153,912.45");
}

TEST(Numbers, WhatIsNoNumberIsNotGrouped) {
  EXPECT_EQ(grouped(std::numeric_limits<double>::infinity(), 2), "inf");
}

TEST(Numbers, WhatRoundsToZeroHasNoSign) {
  EXPECT_EQ(grouped(-0.00004, 4), "0.0000");
  EXPECT_EQ(grouped(-0.0, 2), "0.00");
  EXPECT_EQ(grouped(-0.00006, 4), "-0.0001");
  EXPECT_EQ(grouped(-1234.5, 1), "-1,234.5");
}

TEST(Numbers, RangesShowTwoDigitsOfTheirWidth) {
  EXPECT_EQ(measured_range(1550.2, 1663.7), "1,550 to 1,664");
  EXPECT_EQ(measured_range(0.1234, 0.1468), "0.123 to 0.147");
  EXPECT_EQ(measured_range(-0.2, 3.14), "-0.2 to 3.1");
}

TEST(Numbers, PercentagesKeepTwoDigits) {
  EXPECT_EQ(percent(0), "0 %");
  EXPECT_EQ(percent(0.00003), "< 0.1 %");
  EXPECT_EQ(percent(0.0412), "4.1 %");
  EXPECT_EQ(percent(0.0997), "10 %");
  EXPECT_EQ(percent(1), "100 %");
}

TEST(Numbers, DurationsAndCountsReadWell) {
  EXPECT_EQ(duration(0.034), "0.03 s");
  EXPECT_EQ(duration(83), "1 min 23 s");
  EXPECT_EQ(duration(7325), "2 h 2 min");
  EXPECT_EQ(count(1, "row"), "1 row");
  EXPECT_EQ(count(2000, "row"), "2,000 rows");
}

TEST(Numbers, ALiftWithoutPopulationIsADash) {
  EXPECT_EQ(ratio(std::numeric_limits<double>::infinity()), "-");
  EXPECT_EQ(ratio(7.64), "7.6");
  EXPECT_EQ(ratio(0.034), "0.03");
  EXPECT_EQ(ratio(5000), "> 1000");
}

}  // namespace
}  // namespace medley::report
