// SPDX-License-Identifier: Apache-2.0
#include "data/formats/triplets.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <tuple>

#include "support/chunk_source.hpp"

namespace medley::data {
namespace {

using test::ChunkSource;
using test::error_of;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

RawTriplets parse(const std::string& text, TripletOptions options = {}, std::size_t chunk = 3) {
  options.is_missing = [](std::string_view cell) { return cell == "NA"; };
  ChunkSource source(text, chunk, "r.csv");
  return read_triplets(source, options);
}
std::string error(const std::string& text) {
  return error_of([&] { (void)parse(text); });
}

TEST(Triplets, RowsAndItemsAreNumberedByAppearance) {
  const RawTriplets log = parse("user,item,value\nu2,i1,5\nu1,i1,NA\nu2,i2,5\n");
  EXPECT_THAT(log.rows, ElementsAre("u2", "u1"));
  EXPECT_THAT(log.items, ElementsAre("i1", "i2"));
  EXPECT_THAT(log.values, ElementsAre("5"));
  EXPECT_THAT(log.row, ElementsAre(0U, 1U, 0U));
  EXPECT_THAT(log.item, ElementsAre(0U, 0U, 1U));
  EXPECT_THAT(log.value, ElementsAre(0U, kMissingCode, 0U));
  ASSERT_EQ(log.line.size(), 3U);
  for (std::size_t i = 0; i < 3; ++i) EXPECT_EQ(log.line[i], i + 2);
}

TEST(Triplets, NamesDecideElsePositionsDo) {
  EXPECT_THAT(parse("value,time,item,row\n5,t,i,r\n").rows, ElementsAre("r"));
  EXPECT_THAT(parse("who,what,stars\nr,i,5\n").rows, ElementsAre("r"));
  EXPECT_THAT(parse("movie,user,stars\nr,i,5\n").rows, ElementsAre("r"));
}

TEST(Triplets, OtherColumnsAreLeftOutWithAWarning) {
  std::vector<std::string> warnings;
  (void)parse("user,item,value,time\nu,i,1,99\n", {.warnings = &warnings});
  EXPECT_THAT(warnings, ElementsAre("r.csv: columns left out of the triplets: \"time\""));
  warnings.clear();
  (void)parse("user,item,value\nu,i,1\n", {.warnings = &warnings});
  EXPECT_TRUE(warnings.empty());
}

TEST(Triplets, RowNamedLikeAMissingValueIsARow) {
  EXPECT_THAT(parse("user,item,value\nNA,NA,1\n").rows, ElementsAre("NA"));
}

TEST(Triplets, BrokenFilesAreRefused) {
  EXPECT_THAT(error("user,item,value\n,i,1\nu,,1\n"),
              HasSubstr("r.csv:2: column \"user\": is empty"));
  EXPECT_THAT(error("user,item,value\n,i,1\nu,,1\n"),
              HasSubstr("r.csv:3: column \"item\": is empty"));
  EXPECT_THAT(error("user,item\nu,i\n"), HasSubstr("2 columns, triplets have three"));
  EXPECT_THAT(error("196\t242\t3\t881250949\n"), HasSubstr("a header is expected"));
  EXPECT_THAT(error("user,item,value\n"), HasSubstr("no rows"));
  EXPECT_THAT(error("user,item,value\nu,i\n"), HasSubstr("r.csv:2: 2 cells"));
}

RC_GTEST_PROP(Triplets, RandomLogComesBack, ()) {
  using Triplet = std::tuple<int, int, int>;
  const auto log = *rc::gen::nonEmpty(rc::gen::container<std::vector<Triplet>>(
      rc::gen::tuple(rc::gen::inRange(0, 9), rc::gen::inRange(0, 9), rc::gen::inRange(0, 4))));
  std::string text = "row,item,value\n";
  for (const auto& [row, item, value] : log)
    text += fmt::format("{},i{},{}\n", row, item, value == 0 ? "" : std::to_string(value));
  const RawTriplets back = parse(text, {}, *rc::gen::inRange<std::size_t>(1, 50));
  RC_ASSERT(back.row.size() == log.size());
  for (std::size_t i = 0; i < log.size(); ++i) {
    const auto& [row, item, value] = log[i];
    RC_ASSERT(back.rows[back.row[i]] == std::to_string(row));
    RC_ASSERT(back.items[back.item[i]] == fmt::format("i{}", item));
    RC_ASSERT((back.value[i] == kMissingCode) == (value == 0));
    if (value != 0) RC_ASSERT(back.values[back.value[i]] == std::to_string(value));
  }
}

}  // namespace
}  // namespace medley::data
