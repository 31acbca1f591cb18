// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <string>
#include <vector>

#include "core/files.hpp"
#include "medley/error.hpp"
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

// The longest line that is read within so much memory; 0 if it is refused.
std::size_t read_one(std::size_t length, std::size_t memory) {
  const std::string text(length, 'x');
  test::ChunkSource source(text, 10000);
  LineReader reader(source, memory);
  std::string_view line;
  try {
    reader.next(line);
    return line.size();
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("raise the memory limit"), std::string::npos);
    return 0;
  }
}

TEST(LineReader, ALineTakesASixteenthOfTheMemoryAtMost) {
  constexpr std::size_t kLimit = 3'200'000;
  EXPECT_EQ(read_one(200'000, kLimit), 200'000U);
  EXPECT_EQ(read_one(200'001, kLimit), 0U);
  EXPECT_EQ(read_one(65'536, 1), 65'536U);  // the least
  EXPECT_EQ(read_one(65'537, 1), 0U);
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
