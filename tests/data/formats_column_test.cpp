// SPDX-License-Identifier: Apache-2.0
// One value per line, and word lists.
#include "data/formats/csv.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "data/vocabulary_files.hpp"
#include "support/chunk_source.hpp"

namespace medley::data {
namespace {

using test::ChunkSource;
using test::error_of;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

RawTable column(const std::string& text, std::size_t limit = 0) {
  ChunkSource source(text, 2, "labels.txt");
  return read_column(source, {.name = "class",
                              .is_missing = [](std::string_view cell) { return cell == "?"; },
                              .memory_limit = limit});
}
Vocabulary words(const std::string& text, std::size_t limit = 0) {
  ChunkSource source(text, 2, "vocab.txt");
  return read_vocabulary(source, limit);
}

TEST(Column, EveryLineIsAValueAndABlankOneIsMissing) {
  const RawTable table = column("\xEF\xBB\xBFx\r\n\n y, z \n?\nx");
  ASSERT_EQ(table.columns.size(), 1U);
  EXPECT_EQ(table.columns[0].name, "class");
  EXPECT_THAT(table.columns[0].distinct, ElementsAre("x", "y, z"));
  EXPECT_THAT(table.columns[0].code, ElementsAre(0U, kMissingCode, 1U, kMissingCode, 0U));
  EXPECT_THAT(table.line, ElementsAre(1U, 2U, 3U, 4U, 5U));
}

TEST(Column, LastLineEndIsOptional) {
  EXPECT_EQ(column("a\nb\n").line.size(), 2U);
  EXPECT_EQ(column("a\nb").line.size(), 2U);
}

TEST(Column, BrokenFilesAreRefused) {
  EXPECT_THAT(error_of([] { (void)column(""); }), HasSubstr("labels.txt: is empty"));
  EXPECT_THAT(error_of([] { (void)column("a\n\xE9\n"); }), HasSubstr("labels.txt:2: "));
  EXPECT_THAT(error_of([] { (void)column("a\rb\r"); }), HasSubstr("carriage return"));
  EXPECT_THAT(error_of([] { (void)column("a\nb\n", 20); }), HasSubstr("memory"));
}

TEST(Vocabulary, WordsAreTheLines) {
  const Vocabulary vocabulary = words("a\nnew york\nc\n\n");
  EXPECT_THAT(vocabulary.words, ElementsAre("a", "new york", "c"));
  EXPECT_EQ(vocabulary.file, "vocab.txt");
}

TEST(Vocabulary, RepeatedWordNamesBothLines) {
  EXPECT_THAT(error_of([] { (void)words("a\nb\na\n"); }),
              HasSubstr("vocab.txt:3: the word \"a\" is already on line 1"));
}

TEST(Vocabulary, BlankLineInsideIsAnError) {
  EXPECT_THAT(error_of([] { (void)words("a\n\nb\n"); }), HasSubstr("vocab.txt:2: a blank line"));
}

TEST(Vocabulary, BrokenFilesAreRefused) {
  EXPECT_THAT(error_of([] { (void)words("\n"); }), HasSubstr("is empty"));
  EXPECT_THAT(error_of([] { (void)words("a\xFF\n"); }), HasSubstr("vocab.txt:1: "));
  EXPECT_THAT(error_of([] { (void)words("a\nb\nc\n", 60); }), HasSubstr("memory"));
}

}  // namespace
}  // namespace medley::data
