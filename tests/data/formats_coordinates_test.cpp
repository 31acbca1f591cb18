// SPDX-License-Identifier: Apache-2.0
// UCI docword and Matrix Market.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "data/formats/coordinates.hpp"
#include "support/chunk_source.hpp"

namespace medley::data {
namespace {

using test::ChunkSource;
using test::error_of;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

RawCounts docword(const std::string& text, const CountsOptions& options = {}) {
  ChunkSource source(text, 4, "docword.x.txt");
  return read_docword(source, options);
}
RawCounts matrix(const std::string& text, const CountsOptions& options = {}) {
  ChunkSource source(text, 4, "m.mtx");
  return read_matrix_market(source, options);
}
std::string docword_error(const std::string& text, const CountsOptions& options = {}) {
  return error_of([&] { (void)docword(text, options); });
}
std::string matrix_error(const std::string& text) {
  return error_of([&] { (void)matrix(text); });
}

const std::string kBanner = "%%MatrixMarket matrix coordinate integer general\n";

TEST(Docword, LinesMayComeInAnyOrder) {
  const RawCounts counts = docword("3\n4\n5\n3 1 5\n1 4 1\n1 2 2\n3 1 1\n1 1 0\n");
  EXPECT_THAT(counts.row_start, ElementsAre(0U, 2U, 2U, 3U));
  EXPECT_THAT(counts.word, ElementsAre(1U, 3U, 0U));
  EXPECT_THAT(counts.count, ElementsAre(2.0F, 1.0F, 6.0F));
  EXPECT_THAT(counts.vocabulary, ElementsAre("1", "2", "3", "4"));
  EXPECT_THAT(counts.line, ElementsAre(0U, 0U, 0U));
}

TEST(Docword, HeaderIsHeldAgainstTheLines) {
  EXPECT_THAT(docword_error("1\n1\n2\n1 1 1\n"), HasSubstr("says 2 counts, 1 follow"));
  EXPECT_THAT(docword_error("1\n1\n1\n2 1 1\n"), HasSubstr("docword.x.txt:4: document 2 is out"));
  EXPECT_THAT(docword_error("1\n1\n1\n1 0 1\n"), HasSubstr("word 0 is out of range"));
  EXPECT_THAT(docword_error("1\n1\n"), HasSubstr("ends before the number of counts"));
  EXPECT_THAT(docword_error("1\nx\n1\n"), HasSubstr("docword.x.txt:2: \"x\""));
  EXPECT_THAT(docword_error("0\n0\n0\n"), HasSubstr("0 documents"));
  EXPECT_THAT(docword_error(""), HasSubstr("is empty"));
}

TEST(Docword, LyingHeaderIsRefusedBeforeMemoryIsTaken) {
  EXPECT_THAT(docword_error("1000000000000\n1\n0\n"), HasSubstr("1000000000000 documents"));
  EXPECT_THAT(docword_error("2000000000\n1\n1\n1 1 1\n"), HasSubstr("only 1 counts"));
  EXPECT_THAT(docword_error("1\n2000000000\n1\n1 1 1\n"), HasSubstr("2000000000 words"));
  EXPECT_THAT(docword_error("1\n1\n18446744073709551615\n1 1 1\n"), HasSubstr("1 follow"));
  EXPECT_THAT(docword_error("4000000\n1\n1\n1 1 1\n", {.memory_limit = 1000000}),
              HasSubstr("1 MB"));
}

TEST(Docword, BadLinesAreNamed) {
  EXPECT_THAT(docword_error("1\n1\n1\n1 1\n"), HasSubstr("the count \"\" is not a number"));
  EXPECT_THAT(docword_error("1\n1\n1\n1 1 -1\n"), HasSubstr("is negative"));
  EXPECT_THAT(docword_error("1\n1\n1\n1 1 1 1\n"), HasSubstr("one field too many"));
  EXPECT_THAT(docword_error("1\n1\n1\na 1 1\n"), HasSubstr("\"a\" where a document number"));
}

TEST(Docword, VocabularyMustHaveAsManyWords) {
  const Vocabulary vocabulary{"vocab.x.txt", {"x", "y"}};
  EXPECT_THAT(docword("1\n2\n1\n1 2 1\n", {.vocabulary = &vocabulary}).vocabulary,
              ElementsAre("x", "y"));
  EXPECT_THAT(docword_error("1\n3\n1\n1 2 1\n", {.vocabulary = &vocabulary}),
              HasSubstr("3 words, the vocabulary vocab.x.txt has 2"));
}

TEST(MatrixMarket, RowsAreDocumentsAndCommentsAreSkipped) {
  const RawCounts counts = matrix(
      "%%MatrixMarket MATRIX coordinate Real general\n% hello\n\n2 3 3\n2 3 1.5\n%\n1 1 2\n2 1 "
      "1\n");
  EXPECT_THAT(counts.row_start, ElementsAre(0U, 1U, 3U));
  EXPECT_THAT(counts.word, ElementsAre(0U, 0U, 2U));
  EXPECT_THAT(counts.count, ElementsAre(2.0F, 1.0F, 1.5F));
}

TEST(MatrixMarket, PatternEntriesCountOne) {
  const RawCounts counts =
      matrix("%%MatrixMarket matrix coordinate pattern general\n1 2 2\n1 1\n1 2\n");
  EXPECT_THAT(counts.count, ElementsAre(1.0F, 1.0F));
}

TEST(MatrixMarket, OtherKindsAreRefusedInWords) {
  EXPECT_THAT(matrix_error("%%MatrixMarket matrix array real general\n"), HasSubstr("\"array\""));
  EXPECT_THAT(matrix_error("%%MatrixMarket matrix coordinate complex general\n"),
              HasSubstr("\"complex\""));
  EXPECT_THAT(matrix_error("%%MatrixMarket matrix coordinate real symmetric\n"),
              HasSubstr("expand"));
  EXPECT_THAT(matrix_error("%%MatrixMarket matrix coordinate real hermitian\n"),
              HasSubstr("\"hermitian\""));
  EXPECT_THAT(matrix_error("1 1 1\n"), HasSubstr("not the first line"));
  EXPECT_THAT(matrix_error(""), HasSubstr("is empty"));
}

TEST(MatrixMarket, BadSizesAndValuesAreRefused) {
  EXPECT_THAT(matrix_error(kBanner), HasSubstr("ends before the line with the sizes"));
  EXPECT_THAT(matrix_error(kBanner + "1 1\n"), HasSubstr("m.mtx:2: \"1 1\""));
  EXPECT_THAT(matrix_error(kBanner + "1 1 1 1\n"), HasSubstr("more than three"));
  EXPECT_THAT(matrix_error(kBanner + "1 1 1\n1 1 -3\n"),
              HasSubstr("m.mtx:3: the count \"-3\" is neg"));
  EXPECT_THAT(matrix_error(kBanner + "1 1 1\n1 2 3\n"), HasSubstr("column 2 is out of range"));
}

}  // namespace
}  // namespace medley::data
