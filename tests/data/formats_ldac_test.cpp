// SPDX-License-Identifier: Apache-2.0
#include "data/formats/ldac.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/chunk_source.hpp"

namespace medley::data {
namespace {

using test::ChunkSource;
using test::error_of;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

RawCounts parse(const std::string& text, const CountsOptions& options = {}) {
  ChunkSource source(text, 3, "docs.ldac");
  return read_ldac(source, options);
}
std::string error(const std::string& text, const CountsOptions& options = {}) {
  return error_of([&] { (void)parse(text, options); });
}

TEST(Ldac, DocumentsAreRowsOfSortedMergedCounts) {
  const RawCounts counts = parse("3 4:1 0:2 4:1.5\n0\n2 1:0 2:7\n");
  EXPECT_THAT(counts.row_start, ElementsAre(0U, 2U, 2U, 3U));
  EXPECT_THAT(counts.word, ElementsAre(0U, 4U, 2U));
  EXPECT_THAT(counts.count, ElementsAre(2.0F, 2.5F, 7.0F));
  EXPECT_THAT(counts.vocabulary, ElementsAre("0", "1", "2", "3", "4"));
  EXPECT_THAT(counts.line, ElementsAre(1U, 2U, 3U));
  EXPECT_TRUE(counts.label.empty());
}

TEST(Ldac, VocabularyNamesTheWordsAndBoundsTheIds) {
  const Vocabulary vocabulary{"vocab.txt", {"x", "y"}};
  EXPECT_THAT(parse("1 0:1\n", {.vocabulary = &vocabulary}).vocabulary, ElementsAre("x", "y"));
  EXPECT_THAT(error("1 0:1\n1 2:1\n", {.vocabulary = &vocabulary}),
              HasSubstr("docs.ldac:2: word id 2 is past the vocabulary of 2 words in vocab.txt ("));
}

TEST(Ldac, PairsMustBeAsManyAsAnnounced) {
  EXPECT_THAT(error("1 0:1\n2 0:1\n"), HasSubstr("docs.ldac:2: 2 pairs are announced, 1 follow"));
  EXPECT_THAT(error("0 0:1\n"), HasSubstr("0 pairs are announced, 1 follow"));
}

TEST(Ldac, BadFieldsAreNamed) {
  EXPECT_THAT(error("x 0:1\n"), HasSubstr("docs.ldac:1: \"x\" where the number"));
  EXPECT_THAT(error("1 0\n"), HasSubstr("\"0\" is not id:count"));
  EXPECT_THAT(error("1 -1:1\n"), HasSubstr("the word id of \"-1:1\" is negative"));
  EXPECT_THAT(error("1 2147483648:1\n"), HasSubstr("word id 2147483648 is too large"));
  EXPECT_THAT(error("1 99999999999999999999:1\n"), HasSubstr("is not id:count"));
  EXPECT_THAT(error("1 0:-2\n"), HasSubstr("is negative"));
  EXPECT_THAT(error("1 0:nan\n"), HasSubstr("is not a number"));
  EXPECT_THAT(error("1 0:inf\n"), HasSubstr("is not a number"));
  EXPECT_THAT(error("1 0:1e300\n"), HasSubstr("is too large"));
  EXPECT_THAT(error("1 0:1e20\n"), HasSubstr("is too large"));
}

TEST(Ldac, BlankLineIsAnErrorExceptAtTheEnd) {
  EXPECT_THAT(error("1 0:1\n\n1 0:1\n"), HasSubstr("docs.ldac:2: a blank line"));
  EXPECT_EQ(parse("1 0:1\n\n").line.size(), 1U);
  EXPECT_THAT(error(""), HasSubstr("is empty"));
}

TEST(Ldac, GiantIdNeedsNoGiantMemory) {
  EXPECT_THAT(error("1 2000000000:1\n"), HasSubstr("docs.ldac:1: the word id 2000000000"));
  EXPECT_THAT(error("1 4000000:1\n", {.memory_limit = 1000000}), HasSubstr("1 MB"));
}

TEST(Ldac, OnlyEmptyDocumentsGiveNoWords) {
  const RawCounts counts = parse("0\n0\n");
  EXPECT_EQ(counts.line.size(), 2U);
  EXPECT_TRUE(counts.vocabulary.empty());
}

}  // namespace
}  // namespace medley::data
