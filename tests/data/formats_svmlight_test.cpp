// SPDX-License-Identifier: Apache-2.0
#include "data/formats/svmlight.hpp"

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
  ChunkSource source(text, 3, "s.svm");
  return read_svmlight(source, options);
}
std::string error(const std::string& text, const CountsOptions& options = {}) {
  return error_of([&] { (void)parse(text, options); });
}

TEST(Svmlight, LabelsAreKeptAndIndicesCountFromOne) {
  const RawCounts counts = parse("# top\n+1 qid:3 3:2 1:1 # c 9:9\n\n-1\nspam 2:0.5\n");
  EXPECT_THAT(counts.label, ElementsAre("+1", "-1", "spam"));
  EXPECT_THAT(counts.row_start, ElementsAre(0U, 2U, 2U, 3U));
  EXPECT_THAT(counts.word, ElementsAre(0U, 2U, 1U));
  EXPECT_THAT(counts.count, ElementsAre(1.0F, 2.0F, 0.5F));
  EXPECT_THAT(counts.vocabulary, ElementsAre("1", "2", "3"));
  EXPECT_THAT(counts.line, ElementsAre(2U, 4U, 5U));
}

TEST(Svmlight, AZeroAnywhereMakesIndicesCountFromZero) {
  const RawCounts counts = parse("1 2:1\n1 0:1\n");
  EXPECT_THAT(counts.word, ElementsAre(2U, 0U));
  EXPECT_THAT(counts.vocabulary, ElementsAre("0", "1", "2"));
}

TEST(Svmlight, VocabularyBoundsTheIndices) {
  const Vocabulary vocabulary{"vocab.txt", {"x", "y"}};
  EXPECT_THAT(parse("1 2:1\n", {.vocabulary = &vocabulary}).vocabulary, ElementsAre("x", "y"));
  EXPECT_THAT(error("1 2:1\n1 3:1\n", {.vocabulary = &vocabulary}),
              HasSubstr("s.svm:2: index 3 is past the vocabulary of 2 words in vocab.txt"));
  EXPECT_THAT(error("1 2:1\n1 0:1\n", {.vocabulary = &vocabulary}),
              HasSubstr("s.svm:1: index 2 is past"));
}

TEST(Svmlight, BadLinesAreNamed) {
  EXPECT_THAT(error("1:2 3:4\n"), HasSubstr("s.svm:1: the line starts with \"1:2\", not a label"));
  EXPECT_THAT(error("1 a:4\n"), HasSubstr("\"a:4\" is not index:value"));
  EXPECT_THAT(error("1 4\n"), HasSubstr("\"4\" is not index:value"));
  EXPECT_THAT(error("1 1:-4\n"), HasSubstr("is negative"));
  EXPECT_THAT(error("\xE9 1:4\n"), HasSubstr("not UTF-8"));
  EXPECT_THAT(error("1 2147483648:4\n"), HasSubstr("below 2147483648"));
  EXPECT_THAT(error("# nothing\n"), HasSubstr("is empty"));
}

TEST(Svmlight, GiantIndexNeedsNoGiantMemory) {
  EXPECT_THAT(error("1 2000000000:1\n"), HasSubstr("the index 2000000000 occurs"));
  EXPECT_THAT(error("1 4000000:1\n", {.memory_limit = 1000000}), HasSubstr("1 MB"));
}

}  // namespace
}  // namespace medley::data
