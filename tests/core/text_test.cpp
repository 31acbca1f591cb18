// SPDX-License-Identifier: Apache-2.0
// Well-formedness is judged against a decoder written from the code point's side: encode every code
// point, and accept exactly those byte strings.
#include "core/text.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <set>
#include <string>

namespace medley::core {
namespace {

std::string encoded(std::uint32_t point) {
  const auto byte = [](std::uint32_t b) { return static_cast<char>(b); };
  if (point < 0x80) return {byte(point)};
  if (point < 0x800) return {byte(0xC0 | point >> 6), byte(0x80 | (point & 0x3F))};
  if (point < 0x10000)
    return {byte(0xE0 | point >> 12), byte(0x80 | (point >> 6 & 0x3F)),
            byte(0x80 | (point & 0x3F))};
  return {byte(0xF0 | point >> 18), byte(0x80 | (point >> 12 & 0x3F)),
          byte(0x80 | (point >> 6 & 0x3F)), byte(0x80 | (point & 0x3F))};
}

bool valid(const std::string& text) {
  return find_invalid_utf8(text) == std::string::npos;
}

TEST(Utf8, EveryCodePointButNulAndSurrogatesIsAccepted) {
  for (std::uint32_t point = 1; point <= 0x10FFFF; ++point) {
    const bool surrogate = point >= 0xD800 && point <= 0xDFFF;
    ASSERT_EQ(valid(encoded(point)), !surrogate) << point;
  }
  for (std::uint32_t point = 0x110000; point < 0x1FFFFF; point += 997)
    ASSERT_FALSE(valid(encoded(point))) << point;
}

TEST(Utf8, TwoByteStringsAreAcceptedExactlyWhenTheyAreEncodings) {
  std::set<std::string> good;
  for (std::uint32_t point = 0x80; point < 0x800; ++point) good.insert(encoded(point));
  for (int a = 0x80; a < 0x100; ++a) {
    for (int b = 1; b < 0x100; ++b) {
      const std::string text = {static_cast<char>(a), static_cast<char>(b)};
      ASSERT_EQ(valid(text), good.count(text) == 1) << a << " " << b;
    }
  }
}

TEST(Utf8, TheFirstBadByteIsNamedWhereverItStands) {
  for (std::size_t at = 0; at < 40; ++at) {
    for (const char bad : {'\xFF', '\x80', '\xC3', '\0'}) {
      std::string text(40, 'x');
      text[at] = bad;
      ASSERT_EQ(find_invalid_utf8(text), at);
    }
  }
}

TEST(Quoted, ControlAndBrokenBytesAreShownAsHex) {
  EXPECT_EQ(core::quoted("a\x1B[0m\xE9 \xC3\xA9"), "\"a\\x1B[0m\\xE9 \xC3\xA9\"");
  EXPECT_EQ(core::quoted(std::string(100, 'x')), "\"" + std::string(40, 'x') + "...\"");
}

TEST(Trimmed, OnlySpacesAndTabsAtTheEndsGo) {
  EXPECT_EQ(trimmed(" \ta b\t "), "a b");
  EXPECT_EQ(trimmed("  "), "");
}

}  // namespace
}  // namespace medley::core
