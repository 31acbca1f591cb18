// SPDX-License-Identifier: Apache-2.0
#include "data/formats/jsonl.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "data/formats/detect.hpp"
#include "support/chunk_source.hpp"

namespace medley::data {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

RawTable read(const std::string& text, const JsonlOptions& options = {}) {
  test::ChunkSource source(text, 7);
  return read_jsonl(source, options);
}

std::string error(const std::string& text, const JsonlOptions& options = {}) {
  return test::error_of([&] { (void)read(text, options); });
}

// The cells of a column; a missing one is "-".
std::vector<std::string> cells(const RawColumn& column) {
  std::vector<std::string> out;
  for (const std::uint32_t code : column.code) {
    out.push_back(code == kMissingCode ? "-" : column.distinct[code]);
  }
  return out;
}

TEST(Jsonl, KeysAreColumnsInOrderOfAppearanceAndAbsentOnesAreMissing) {
  const RawTable table =
      read("{\"b\": \"x\", \"a\": 1}\n\n{\"a\": null, \"c\": \"\\u00e9\\n\"}\r\n{}");
  ASSERT_EQ(table.columns.size(), 3U);
  EXPECT_EQ(table.columns[0].name, "b");
  EXPECT_THAT(cells(table.columns[0]), ElementsAre("x", "-", "-"));
  EXPECT_THAT(cells(table.columns[1]), ElementsAre("1", "-", "-"));
  EXPECT_THAT(cells(table.columns[2]), ElementsAre("-", "\u00e9\n", "-"));
  EXPECT_THAT(table.line, ElementsAre(1U, 3U, 4U));
}

TEST(Jsonl, NumbersStayAsWritten) {
  const RawTable table = read(
      "{\"x\": 3.0}\n{\"x\" : -1.50e2 }\n{\"x\":123456789012345678901234567890}\n{\"x\": true}\n"
      "{\"x\": false}\n");
  EXPECT_THAT(cells(table.columns[0]),
              ElementsAre("3.0", "-1.50e2", "123456789012345678901234567890", "true", "false"));
}

TEST(Jsonl, ArraysAreLists) {
  const RawTable table = read(
      "{\"t\": [\"a b\", 2, true], \"v\": 1}\n{\"t\": []}\n{\"t\": \"single\"}\n{\"t\": [null, "
      "\"x\"]}\n");
  EXPECT_EQ(table.columns[0].cells, CellText::tags);
  EXPECT_EQ(table.columns[1].cells, CellText::value);
  EXPECT_THAT(cells(table.columns[0]), ElementsAre("a b\x1F"
                                                   "2\x1F"
                                                   "true",
                                                   "\x1F", "single", "x"));
}

TEST(Jsonl, MissingStringsAreMissing) {
  const JsonlOptions options{[](std::string_view cell) { return cell == "NA"; }, 0};
  EXPECT_THAT(cells(read("{\"a\": \"NA\"}\n{\"a\": \"\"}\n{\"a\": \"b\"}\n", options).columns[0]),
              ElementsAre("-", "-", "b"));
}

TEST(Jsonl, EveryBadLineIsListed) {
  const std::string text = error(
      "{\"a\": {\"b\": 1}}\n{\"a\": 1, \"a\": 2}\n{\"a\": 1\n{\"a\": 1} {\"a\": 2}\n[1]\n{\"a\": "
      "1.2.3}\n"
      "{\"a\": [[1]]}\n{\"a\": nul}\n{\"\": 1}\n{\"a\": \"\\u0000\"}\n{\"a\": "
      "[\"\\u001f\"]}\n{\"a\": \"\xff\"}\n"
      "{\"a\": 1}\n");
  EXPECT_THAT(text, AllOf(HasSubstr("file:1: key \"a\" holds an object"), HasSubstr("flatten it"),
                          HasSubstr("file:2: has the key \"a\" twice"), HasSubstr("file:3: is not"),
                          HasSubstr("file:4: has something behind"), HasSubstr("file:5: is not"),
                          HasSubstr("file:6: is not")));
  EXPECT_THAT(
      text, AllOf(HasSubstr("file:7: key \"a\" holds a list of lists"), HasSubstr("file:8: is not"),
                  HasSubstr("file:9: has a key without"), HasSubstr("file:10: holds a NUL"),
                  HasSubstr("U+001F"), HasSubstr("file:12: is not")));
  EXPECT_THAT(text, ::testing::Not(HasSubstr("file:13")));
}

TEST(Jsonl, FilesWithoutATable) {
  EXPECT_THAT(error(""), HasSubstr("is empty"));
  EXPECT_THAT(error("\n \n"), HasSubstr("is empty"));
  EXPECT_THAT(error("{}\n"), HasSubstr("empty objects"));
}

TEST(Jsonl, DeepNestingIsRefused) {
  EXPECT_THAT(error("{\"a\": " + std::string(100000, '[') + "1"), HasSubstr("file:1"));
}

TEST(Jsonl, MemoryIsLimited) {
  std::string text;  // 2,000 columns of 2,000 cells
  for (int i = 0; i < 2000; ++i) text += "{\"k" + std::to_string(i) + "\": 1}\n";
  const JsonlOptions options{nullptr, std::size_t{1} << 20};
  EXPECT_THAT(error(text, options), HasSubstr("memory"));
}

TEST(Jsonl, IsDetectedByNameAndByContent) {
  EXPECT_EQ(format_by_name("a/b.jsonl"), Format::jsonl);
  EXPECT_EQ(format_by_name("b.NDJSON.gz"), Format::jsonl);
  EXPECT_EQ(format_by_content("\n  {\"a\": 1}\n"), Format::jsonl);
  EXPECT_EQ(format_by_content("a,b\n{,1\n"), Format::csv);
}

}  // namespace
}  // namespace medley::data
