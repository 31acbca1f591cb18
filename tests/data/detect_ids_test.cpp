// SPDX-License-Identifier: Apache-2.0
#include "data/detect_columns.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>

#include "data/summaries.hpp"

namespace medley::data {
namespace {

using ::testing::HasSubstr;

std::string why(const std::function<std::string(int)>& text, int rows = 20,
                const std::string& name = "x") {
  std::vector<std::string> texts;
  for (int i = 0; i < rows; ++i) texts.push_back(text(i));
  const testing::SampleColumn column = testing::sample(texts, name);
  return why_id(column.cells(), column.summary);
}

TEST(DetectIds, TextThatIsDifferentInEveryCell) {
  const auto name = [](int i) { return "p" + std::to_string(i); };
  EXPECT_THAT(why(name), HasSubstr("every cell is different"));
  EXPECT_EQ(why(name, 9), "");  // too few to tell
  EXPECT_EQ(why([](int i) { return "p" + std::to_string(i / 2); }), "");
}

TEST(DetectIds, NumbersOfTheRowsInFileOrder) {
  EXPECT_THAT(why([](int i) { return std::to_string(i + 1); }), HasSubstr("numbers the rows"));
  EXPECT_THAT(why([](int i) { return std::to_string(1000 - i); }), HasSubstr("numbers the rows"));
  EXPECT_EQ(why([](int i) { return std::to_string(7 * i % 20); }), "");  // a permutation
  EXPECT_EQ(why([](int i) { return std::to_string(2 * i); }), "");
  EXPECT_EQ(why([](int i) { return i == 3 ? "" : std::to_string(i); }), "");
  EXPECT_EQ(why([](int i) { return std::to_string(1990 + i); }), "");  // years
}

TEST(DetectIds, ColumnsThatAreCalledIdAndNearlyAlwaysDiffer) {
  const auto number = [](int i) { return std::to_string(i == 0 ? 13 : i * i + 12); };
  for (const char* name : {"id", "ID", "user_id", "userId", "Patient ID", "id.person", "UUID"}) {
    EXPECT_THAT(why(number, 60, name), HasSubstr("called an id")) << name;
  }
  for (const char* name : {"paid", "Madrid", "width", "ideal", "identity"}) {
    EXPECT_EQ(why(number, 60, name), "") << name;
  }
  const auto repeated = [](int i) { return std::to_string(i % 50 * 3); };
  EXPECT_THAT(why(repeated, 60, "id"), HasSubstr("some rows share one"));
  EXPECT_EQ(why(repeated, 60, "user_id"), "");
  const auto fraction = [](int i) { return std::to_string(i * i) + ".5"; };
  EXPECT_EQ(why(fraction, 60, "id"), "");
}

TEST(DetectIds, UuidsAndNumbersWithLeadingZeros) {
  const auto uuid = [](int i) {
    return "123e4567-e89b-12d3-a456-42661417400" + std::to_string(i % 2);
  };
  EXPECT_THAT(why(uuid), HasSubstr("UUIDs"));
  EXPECT_THAT(why([](int i) { return "00" + std::to_string(10 + 7 * i % 83); }),
              HasSubstr("leading zeros"));
  EXPECT_EQ(why([](int i) { return "0." + std::to_string(10 + i); }), "");
}

}  // namespace
}  // namespace medley::data
