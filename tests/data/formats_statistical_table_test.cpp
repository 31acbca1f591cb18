// SPDX-License-Identifier: Apache-2.0
// The frames that a child sends are not trusted: these come from no child at all.
#include "data/formats/statistical.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "data/formats/statistical_frames.hpp"
#include "support/chunk_source.hpp"

namespace medley::data {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Pair;

constexpr const char* kNonsense = "the reader's answer makes no sense";

/// Frames by hand: "V" and its fields and so on.
class Frames {
 public:
  Frames& variable(const std::string& name, const std::string& labels = "",
                   const std::vector<std::string>& missing = {}, const std::string& title = "") {
    put_frame(bytes_, Frame::variable);
    put_text(bytes_, name);
    put_text(bytes_, title);
    put_text(bytes_, labels);
    put_number(bytes_, missing.size());
    for (const std::string& code : missing) put_text(bytes_, code);
    return *this;
  }
  Frames& label(const std::string& set, const std::string& code, const std::string& label) {
    put_frame(bytes_, Frame::label);
    for (const std::string* text : {&set, &code, &label}) put_text(bytes_, *text);
    return *this;
  }
  /// "" is a missing cell, a leading '!' marks a user-missing one.
  Frames& row(const std::vector<std::string>& cells) {
    put_frame(bytes_, Frame::row);
    for (const std::string& cell : cells) {
      if (cell.empty()) {
        put_missing_cell(bytes_);
      } else {
        const bool marked = cell.front() == '!';
        put_cell(bytes_, marked ? cell.substr(1) : cell, marked);
      }
    }
    return *this;
  }
  Frames& number(Frame frame, std::uint64_t number) {
    put_frame(bytes_, frame);
    put_number(bytes_, number);
    return *this;
  }
  Frames& raw(const std::string& bytes) {
    bytes_ += bytes;
    return *this;
  }
  [[nodiscard]] const std::string& bytes() const { return bytes_; }

 private:
  std::string bytes_;
};

StatisticalTable table_of(const Frames& frames, std::size_t chunk = 1000,
                          std::size_t memory_limit = 0) {
  test::ChunkSource source(frames.bytes(), chunk);
  return read_statistical_frames(source, {}, memory_limit);
}

std::string refusal(const Frames& frames, std::size_t memory_limit = 0) {
  return test::error_of([&] { (void)table_of(frames, 1000, memory_limit); });
}

Frames two_columns() {
  return Frames().variable("a", "set", {"8"}).variable("b");
}

TEST(StatisticalTable, FramesBecomeColumnsInPiecesOfAnySize) {
  const Frames frames = two_columns()
                            .number(Frame::rows, 3)
                            .row({"1", "x"})
                            .raw("A")
                            .row({"!9", ""})
                            .row({"!8",
                                  "\xFF"
                                  " long enough for a copy "})
                            .label("set", "1", "yes")
                            .label("other", "1", "no")
                            .number(Frame::end, 3);
  for (const std::size_t chunk : {1000U, 1U, 3U, 7U}) {
    const StatisticalTable read = table_of(frames, chunk);
    EXPECT_FALSE(read.failed);
    EXPECT_EQ(read.rows, 3U);
    ASSERT_EQ(read.table.columns.size(), 2U);
    EXPECT_THAT(read.table.columns[0].distinct, ElementsAre("1", "9", "8"));
    EXPECT_THAT(read.table.columns[0].missing_codes, ElementsAre("8", "9"));
    EXPECT_THAT(read.table.columns[0].value_labels, ElementsAre(Pair("1", "yes")));
    EXPECT_THAT(read.table.columns[1].code, ElementsAre(0, kMissingCode, 1));
    EXPECT_EQ(read.table.columns[1].distinct[1], "\xEF\xBF\xBD long enough for a copy");
    EXPECT_THAT(read.table.columns[1].value_labels, IsEmpty());
    EXPECT_THAT(read.table.line, ElementsAre(1, 2, 3));
  }
}

TEST(StatisticalTable, AVariableWithoutANameIsNumbered) {
  const auto read = table_of(Frames().variable("").row({"1"}).number(Frame::end, 1));
  EXPECT_EQ(read.table.columns[0].name, "column_1");
}

TEST(StatisticalTable, AVariableMayHaveATitle) {
  const StatisticalTable table = table_of(Frames()
                                              .variable("q1", "", {}, "How are you?")
                                              .variable("q2")
                                              .row({"1", "2"})
                                              .number(Frame::end, 1));
  EXPECT_EQ(table.table.columns[0].title, "How are you?");
  EXPECT_EQ(table.table.columns[1].title, "");
}

TEST(StatisticalTable, AFailureIsTold) {
  const StatisticalTable read = table_of(two_columns().row({"1", "2"}).number(Frame::failed, 4));
  EXPECT_EQ(read.failed, 4U);
  EXPECT_EQ(read.rows, 1U);
}

TEST(StatisticalTable, FewerRowsThanPromisedAreRefused) {
  EXPECT_THAT(refusal(two_columns().number(Frame::rows, 2).row({"1", "2"}).number(Frame::end, 1)),
              HasSubstr("says it has 2 rows, but there are 1"));
  EXPECT_THAT(refusal(two_columns().number(Frame::end, 0)), HasSubstr("no rows"));
  EXPECT_THAT(refusal(Frames().number(Frame::end, 0)), HasSubstr("no variables"));
}

TEST(StatisticalTable, NonsenseIsRefused) {
  for (const Frames& frames :
       {Frames(), Frames().raw("?"), two_columns(), Frames().row({}),
        two_columns().row({"1"}),                                       // half a row, then nothing
        two_columns().row({"1", "2"}).variable("late"),                 // after the first row
        two_columns().row({"1", "2"}).number(Frame::end, 2),            // rows that were not sent
        Frames().raw("V\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\x01"),  // a number of 70 bits
        Frames().raw("V\x80\x80\x80\x10" + std::string(100, 'x')),      // a text of 32 MB
        Frames().raw(std::string("V\x01"
                                 "a\x00\xFF\xFF\xFF\x7F",
                                 8))}) {  // 2^28 codes
    EXPECT_THAT(refusal(frames), HasSubstr(kNonsense));
  }
}

TEST(StatisticalTable, EveryCutIsRefused) {
  const std::string whole =
      two_columns().row({"1", "!2"}).label("set", "1", "yes").number(Frame::end, 1).bytes();
  for (std::size_t size = 0; size < whole.size(); ++size)
    EXPECT_THAT(refusal(Frames().raw(whole.substr(0, size))), HasSubstr(kNonsense)) << size;
  EXPECT_EQ(refusal(Frames().raw(whole)), "");
}

TEST(StatisticalTable, MemoryIsCountedBeforeItIsTaken) {
  constexpr std::size_t kLimit = 100'000;
  Frames variables, codes, labels, rows;
  for (int i = 0; i < 2000; ++i) {
    variables.variable("v" + std::to_string(i));
    codes.variable("v", "", {std::string(100, 'x') + std::to_string(i)});
    labels.label("set", std::to_string(i), "label");
  }
  rows.variable("a");
  for (int i = 0; i < 20'000; ++i) rows.row({"1"});
  // One list of labels, shared: small as it comes, large as it is kept.
  Frames shared;
  for (int i = 0; i < 100; ++i)
    shared.variable("v", "set").label("set", std::to_string(i), "label");
  shared.row(std::vector<std::string>(100, "1")).number(Frame::end, 1);
  for (const Frames& frames : {variables, codes, labels, rows, shared})
    EXPECT_THAT(refusal(frames, kLimit), HasSubstr("does not fit"));
}

}  // namespace
}  // namespace medley::data
