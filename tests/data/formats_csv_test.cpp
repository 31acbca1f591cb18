// SPDX-License-Identifier: Apache-2.0
#include "data/formats/csv.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "support/chunk_source.hpp"

namespace medley::data {
namespace {

using test::ChunkSource;
using test::error_of;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

using Grid = std::vector<std::vector<std::string>>;

RawTable parse(const std::string& text, CsvOptions options = {}) {
  options.is_missing = [](std::string_view cell) { return cell == "NA"; };
  ChunkSource source(text, 3, "t.csv");
  return read_csv(source, options);
}

/// Names first, then the rows; a missing cell is shown as <>.
Grid grid(const RawTable& table) {
  Grid out(table.line.size() + 1);
  for (const RawColumn& column : table.columns) {
    out[0].push_back(column.name);
    for (std::size_t i = 0; i < column.code.size(); ++i)
      out[i + 1].push_back(column.code[i] == kMissingCode ? "<>" : column.distinct[column.code[i]]);
  }
  return out;
}
Grid grid(const std::string& text, const CsvOptions& options = {}) {
  return grid(parse(text, options));
}
std::string error(const std::string& text, const CsvOptions& options = {}) {
  return error_of([&] { (void)parse(text, options); });
}

TEST(Csv, DistinctValuesComeInOrderOfAppearance) {
  const RawTable table = parse("a,b\nz,1\ny,1\nz,2\n");
  EXPECT_THAT(table.columns[0].distinct, ElementsAre("z", "y"));
  EXPECT_THAT(table.columns[0].code, ElementsAre(0U, 1U, 0U));
  EXPECT_THAT(table.columns[1].distinct, ElementsAre("1", "2"));
  EXPECT_THAT(table.line, ElementsAre(2U, 3U, 4U));
}

TEST(Csv, QuotesKeepDelimitersLineEndsAndQuotes) {
  EXPECT_EQ(grid("a,b\n\"x,y\",\"he said \"\"no\"\"\"\n\"two\r\nlines\",z\n"),
            (Grid{{"a", "b"}, {"x,y", "he said \"no\""}, {"two\nlines", "z"}}));
}

TEST(Csv, LineOfARecordIsWhereItStarts) {
  EXPECT_THAT(parse("a,b\n\"1\n2\n3\",x\n4,y\n").line, ElementsAre(2U, 5U));
}

TEST(Csv, UnquotedCellsAreTrimmedAndQuotedOnesAreNot) {
  EXPECT_EQ(grid(" a ,b\n  x y\t, \" z \" \n"), (Grid{{"a", "b"}, {"x y", " z "}}));
}

TEST(Csv, QuoteInsideAnUnquotedCellIsText) {
  EXPECT_EQ(grid("5\" pipe,b\n6\",x\n"), (Grid{{"5\" pipe", "b"}, {"6\"", "x"}}));
}

TEST(Csv, MissingStringsAreMissingQuotedOrNot) {
  EXPECT_EQ(grid("a,b,c\nNA,\"NA\",x\n,\"\",na\n"),
            (Grid{{"a", "b", "c"}, {"<>", "<>", "x"}, {"<>", "<>", "na"}}));
}

TEST(Csv, DelimiterIsFoundInTheHeaderOutsideQuotes) {
  EXPECT_EQ(grid("a;\"b,b,b,b\";c\n3,5;2;1\n"), (Grid{{"a", "b,b,b,b", "c"}, {"3,5", "2", "1"}}));
  EXPECT_EQ(grid("a\tb\n1 1\t\n"), (Grid{{"a", "b"}, {"1 1", "<>"}}));
  EXPECT_EQ(grid("a|b\n1|2\n"), (Grid{{"a", "b"}, {"1", "2"}}));
  EXPECT_EQ(grid("\"a\nlong;name\",b\n1,2\n"), (Grid{{"a\nlong;name", "b"}, {"1", "2"}}));
}

TEST(Csv, GivenDelimiterIsNotGuessed) {
  EXPECT_EQ(grid("a,b,c\td\n1\t2\n", {.delimiter = '\t'}), (Grid{{"a,b,c", "d"}, {"1", "2"}}));
  EXPECT_EQ(grid("a\tb\n\t\n\n1\t2\n", {.delimiter = '\t'}),
            (Grid{{"a", "b"}, {"<>", "<>"}, {"1", "2"}}));
}

TEST(Csv, BetweenTabsTextMayBeginWithAQuote) {
  EXPECT_EQ(grid("a\tb\n\"Early\" warning\t\"x\"\" y\"\n", {.delimiter = '\t'}),
            (Grid{{"a", "b"}, {"\"Early\" warning", "x\" y"}}));
}

TEST(Csv, ByteOrderMarkIsDropped) {
  EXPECT_EQ(grid("\xEF\xBB\xBF\"a\",b\n1,2"), (Grid{{"a", "b"}, {"1", "2"}}));
}

TEST(Csv, BlankLinesAreSkippedUnlessThereIsOneColumn) {
  EXPECT_EQ(grid("\n\na,b\n\n1,2\n  \n3,4\n\n"), (Grid{{"a", "b"}, {"1", "2"}, {"3", "4"}}));
  EXPECT_EQ(grid("a\n1\n\n2\n"), (Grid{{"a"}, {"1"}, {"<>"}, {"2"}}));
}

TEST(Csv, TrailingDelimiterMakesNoColumnButTextDoes) {
  EXPECT_EQ(grid("a,b,\n1,2,\n"), (Grid{{"a", "b"}, {"1", "2"}}));
  EXPECT_EQ(grid("a,,\n1,2,\n"), (Grid{{"a", "column_2"}, {"1", "2"}}));
}

TEST(Csv, EveryRaggedRowIsNamed) {
  const std::string text = error("a,b\n1\n1,2\n1,2,3\n");
  EXPECT_THAT(text, HasSubstr("t.csv:2: 1 cell, the header has 2"));
  EXPECT_THAT(text, HasSubstr("t.csv:4: 3 cells, the header has 2"));
}

TEST(Csv, OneProblemInHundredsOfLinesIsToldOnceWithItsFirstPlaces) {
  std::string text = "a,b\n";
  for (int i = 0; i < 300; ++i) text += "1\n";
  try {
    (void)parse(text);
    FAIL();
  } catch (const InputError& problem) {
    EXPECT_EQ(problem.total(), 300U);
    ASSERT_EQ(problem.problems().size(), 1U);
    EXPECT_EQ(problem.problems()[0].count, 300U);
    EXPECT_EQ(problem.unlisted(), 0U);
    EXPECT_THAT(problem.what(), HasSubstr("t.csv:2: 1 cell, the header has 2; the same 299 times "
                                          "more: line 3; line 4; line 5 ..."));
  }
}

TEST(Csv, HeaderNamesMustDiffer) {
  EXPECT_THAT(error("a,b,a\n1,2,3\n"), HasSubstr("t.csv:1: columns 1 and 3 are both called \"a\""));
  EXPECT_THAT(error("0.0,0.0\n1,2\n"), HasSubstr("if it is data, put a line with names above it"));
}

TEST(Csv, TextThatIsNotUtf8IsRefusedWithItsPlace) {
  const std::string text = error("a,b\n1,caf\xE9\n1,\"caf\xE9\"\n");
  EXPECT_THAT(text, HasSubstr("t.csv:2: column \"b\": \"caf\\xE9\" is not UTF-8"));
  EXPECT_THAT(text, HasSubstr("t.csv:3: column \"b\""));
  EXPECT_THAT(text, HasSubstr("`encoding`"));
  // Two halves of a character in neighbouring cells are two errors, not one character.
  EXPECT_THAT(error("a,b\n\"\xC3\",\"\xA9\"\n"), HasSubstr("column \"a\""));
  EXPECT_THAT(error(std::string("a,b\n1,\0\n", 8)), HasSubstr("NUL"));
  EXPECT_THAT(error("a,\xE9\n1,2\n"), HasSubstr("t.csv:1: column 2"));
}

TEST(Csv, Utf16IsCalledByItsName) {
  EXPECT_THAT(error(std::string("\xFF\xFE\x61\0\n\0", 6)), HasSubstr("UTF-16"));
  EXPECT_THAT(error("\xFE\xFF"), HasSubstr("UTF-16"));
}

TEST(Csv, LoneCarriageReturnIsRefused) {
  EXPECT_THAT(error("a,b\r1,2\r3,4\r"), HasSubstr("carriage return"));
  EXPECT_THAT(error("a,b\n1\r,2\n"), HasSubstr("t.csv:2: a carriage return"));
  EXPECT_THAT(error("a,b\n1\r,\"2\"\n"), HasSubstr("t.csv:2: a carriage return"));
}

TEST(Csv, EmptyFilesSaySo) {
  EXPECT_THAT(error(""), HasSubstr("t.csv: is empty"));
  EXPECT_THAT(error("\n\n"), HasSubstr("t.csv: is empty"));
  EXPECT_THAT(error("a,b\n"), HasSubstr("a header and no rows"));
  EXPECT_THAT(error(",\n,\n"), HasSubstr("delimiters only"));
}

TEST(Csv, BrokenQuotesAreNamedWhereTheyOpen) {
  EXPECT_THAT(error("a,b\n1,\"2\n3,4\n"), HasSubstr("t.csv:2: a quote is opened"));
  EXPECT_THAT(error("a,b\n\"1\"x,2\n"), HasSubstr("\"x\" follows the closing quote"));
  EXPECT_THAT(error("a,\"b\n1,2\n"), HasSubstr("t.csv:1: a quote is opened"));
}

TEST(Csv, MemoryLimitStopsReading) {
  std::string text = "a,b\n";
  for (int i = 0; i < 10000; ++i) text += std::to_string(i) + ",x\n";
  EXPECT_THAT(error(text, {.memory_limit = 100000}), HasSubstr("0.1 MB"));
  EXPECT_EQ(error(text, {.memory_limit = 10000000}), "");
}

TEST(Csv, HeaderOfTooManyColumnsIsRefused) {
  EXPECT_THAT(error(std::string(1100000, ',') + "\n1\n"), HasSubstr("1100001 columns"));
}

TEST(Csv, ManyDistinctValuesKeepTheirOwnCodes) {
  std::string text = "a\n";
  for (int i = 0; i < 50000; ++i) text += std::to_string(i % 20000) + "\n";
  const RawTable table = parse(text);
  ASSERT_EQ(table.columns[0].distinct.size(), 20000U);
  for (std::size_t i = 0; i < 50000; ++i) ASSERT_EQ(table.columns[0].code[i], i % 20000);
}

}  // namespace
}  // namespace medley::data
