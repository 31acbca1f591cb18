// SPDX-License-Identifier: Apache-2.0
#include "medley/error.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

namespace medley {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

template <typename T>
bool throws(double number) {
  try {
    (void)integer_of<T>(number);
  } catch (const std::out_of_range&) {
    return true;
  }
  return false;
}

TEST(IntegerOf, DropsTheFraction) {
  EXPECT_EQ(integer_of<std::size_t>(3.99), 3U);
  EXPECT_EQ(integer_of<int>(-3.99), -3);
  EXPECT_EQ(integer_of<std::size_t>(-0.99), 0U);
  EXPECT_EQ(integer_of<std::uint8_t>(255.9), 255U);
  EXPECT_EQ(integer_of<std::int8_t>(-128.9), -128);
}

TEST(IntegerOf, ThrowsForWhatDoesNotFit) {
  for (const double number : {kNone, kInfinity, -kInfinity, 1e20, 18446744073709551616.0, -1.0})
    EXPECT_TRUE(throws<std::size_t>(number)) << number;
  EXPECT_FALSE(throws<std::size_t>(18446744073709549568.0));  // the largest double below 2^64
  EXPECT_TRUE(throws<std::int64_t>(9223372036854775808.0));
  EXPECT_FALSE(throws<std::int64_t>(-9223372036854775808.0));
  EXPECT_TRUE(throws<std::int64_t>(-9223372036854777856.0));  // the next one below -2^63
  EXPECT_TRUE(throws<std::uint8_t>(256));
  EXPECT_TRUE(throws<std::int8_t>(-129));
  EXPECT_TRUE(throws<int>(2147483648.0));
}

TEST(NearestIntegerOf, EndsAtTheEndsOfTheRange) {
  EXPECT_EQ(nearest_integer_of<std::size_t>(2.5), 2U);
  EXPECT_EQ(nearest_integer_of<std::size_t>(-7), 0U);
  EXPECT_EQ(nearest_integer_of<std::size_t>(kInfinity), std::numeric_limits<std::size_t>::max());
  EXPECT_EQ(nearest_integer_of<int>(-1e300), std::numeric_limits<int>::min());
  EXPECT_EQ(nearest_integer_of<int>(kNone), 0);
  EXPECT_EQ(nearest_integer_of<std::uint8_t>(255.5), 255U);
  EXPECT_EQ(nearest_integer_of<std::uint8_t>(256), 255U);
}

}  // namespace
}  // namespace medley
