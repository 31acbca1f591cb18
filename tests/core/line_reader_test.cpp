// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <string>
#include <vector>

#include "core/files.hpp"
#include "support/chunk_source.hpp"

namespace medley::core {
namespace {

using Lines = std::vector<std::string>;

Lines lines_of(const std::string& text, std::size_t chunk) {
  test::ChunkSource source(text, chunk);
  LineReader reader(source);
  Lines lines;
  std::string_view line;
  while (reader.next(line)) {
    lines.emplace_back(line);
    EXPECT_EQ(reader.number(), lines.size());
  }
  EXPECT_FALSE(reader.next(line));
  return lines;
}

TEST(LineReader, BothLineEndsAndNoneAreUnderstood) {
  for (const std::size_t chunk : {1U, 2U, 3U, 100U}) {
    EXPECT_EQ(lines_of("", chunk), Lines{});
    EXPECT_EQ(lines_of("a", chunk), Lines{"a"});
    EXPECT_EQ(lines_of("a\n", chunk), Lines{"a"});
    EXPECT_EQ(lines_of("\n", chunk), Lines{""});
    EXPECT_EQ(lines_of("a\r\n\r\nbc\nd", chunk), (Lines{"a", "", "bc", "d"}));
  }
}

TEST(LineReader, LoneCarriageReturnBelongsToTheLine) {
  EXPECT_EQ(lines_of("a\rb\r\r\nc", 1), (Lines{"a\rb\r", "c"}));
}

RC_GTEST_PROP(LineReader, GivesTheLinesThatWereWritten, ()) {
  const auto letters = rc::gen::container<std::string>(rc::gen::elementOf(std::string("ab,\" ")));
  const auto lines = *rc::gen::container<Lines>(letters);
  const auto chunk = *rc::gen::inRange<std::size_t>(1, 9);
  std::string text;
  for (const std::string& line : lines)
    text += line + (*rc::gen::arbitrary<bool>() ? "\r\n" : "\n");
  RC_ASSERT(lines_of(text, chunk) == lines);
}

}  // namespace
}  // namespace medley::core
