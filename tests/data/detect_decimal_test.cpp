// SPDX-License-Identifier: Apache-2.0
#include "data/number.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "core/files.hpp"
#include "data/formats/csv.hpp"
#include "data/formats/triplets.hpp"
#include "data/samples.hpp"

namespace medley::data {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using namespace medley::testing;

constexpr NumberMarks kPlain = {};
constexpr NumberMarks kCommas = {',', '\0'};

RawSource settled_csv(const std::string& text, Decimal asked = Decimal::automatic) {
  RawSource source;
  source.name = "data";
  source.content = read_csv(*core::ByteSource::from_memory(text, "x.csv"), {});
  settle_marks(source, MissingStrings({"-99"}), asked);
  return source;
}

const WrittenNumbers& column(const RawSource& source, std::size_t i) {
  return std::get<RawTable>(source.content).columns[i].numbers;
}

TEST(DetectDecimal, OneCellThatTellsDecidesForItsColumn) {
  const RawSource source = settled_csv("x;g\n5,3456;a\n5,305;b\n4,118;a\n-99;b\n");
  EXPECT_EQ(column(source, 0).marks, kCommas);
  EXPECT_TRUE(column(source, 0).sure);
  EXPECT_THAT(column(source, 0).doubt, IsEmpty());
  EXPECT_EQ(source.marks, kCommas);
}

TEST(DetectDecimal, AnotherColumnDecidesForOneThatDoesNotTell) {
  const RawSource source = settled_csv("w;x;n\n1,538;0,5;3\n2,114;7,25;4\n");
  EXPECT_EQ(column(source, 0).marks, kCommas);
  EXPECT_TRUE(column(source, 0).sure);
  EXPECT_THAT(column(source, 0).doubt, IsEmpty());
  EXPECT_EQ(column(source, 2).marks, kCommas) << "the next file may have fractions there";
}

TEST(DetectDecimal, SemicolonsAloneDecideAndItIsSaid) {
  const RawSource source = settled_csv("w;g\n1,538;a\n2,114;b\n");
  EXPECT_EQ(column(source, 0).marks, kCommas);
  EXPECT_THAT(column(source, 0).doubt,
              AllOf(HasSubstr("\"1,538\" is read as 1.538"), HasSubstr("semicolons")));
  EXPECT_FALSE(column(source, 0).sure);
}

TEST(DetectDecimal, BetweenCommasNothingDecidesAndItIsSaid) {
  const RawSource source = settled_csv("w,g\n\"1,538\",a\n\"2,114\",b\n");
  EXPECT_EQ(column(source, 0).marks, kPlain);
  EXPECT_THAT(column(source, 0).doubt,
              AllOf(HasSubstr("could be 1.538 or 1538"), HasSubstr("`decimal=")));
}

TEST(DetectDecimal, ThousandsAreKnownByACellThatHasBothMarks) {
  const RawSource source = settled_csv("x;n\n5.739,46;2,5\n5.311;1\n900;2\n");
  EXPECT_EQ(column(source, 0).marks, kCommaOnly);
  const RawSource english = settled_csv("x,n\n\"5,739.46\",2.5\n\"5,311\",1\n900,2\n");
  EXPECT_EQ(column(english, 0).marks, kPointOnly);
  EXPECT_EQ(column(english, 1).marks, kPlain);
}

TEST(DetectDecimal, APointThatCouldBeEitherInAFileWithCommasIsPointedOut) {
  const RawSource source = settled_csv("a;b\n5.739,46;5.311\n12,5;6.120\n");
  EXPECT_EQ(column(source, 1).marks, kCommaOnly);
  EXPECT_THAT(column(source, 1).doubt,
              AllOf(HasSubstr("\"5.311\" is read as 5311"), HasSubstr("decimal = \"point\"")));
  EXPECT_FALSE(column(source, 1).sure) << "a schema may say otherwise";
}

TEST(DetectDecimal, AFileWithPointsIsPlainWhateverItsDelimiter) {
  for (const char delimiter : {',', ';', '\t', '|'}) {
    std::string text = "a,b\n5.311,x\n4.25,y\n6.120,x\n";
    std::replace(text.begin(), text.end(), ',', delimiter);
    const RawSource source = settled_csv(text);
    EXPECT_EQ(column(source, 0).marks, kPlain) << delimiter;
    EXPECT_EQ(source.marks, kPlain) << delimiter;
    EXPECT_THAT(column(source, 0).doubt, IsEmpty()) << delimiter;
  }
}

TEST(DetectDecimal, TextWithCommasTellsNothing) {
  const RawSource source =
      settled_csv("text,x\n\"yes, we did\",5.311\n\"1,5 litres\",6.120\n\"2,5\",7.001\n");
  EXPECT_EQ(column(source, 1).marks, kPlain);
  EXPECT_EQ(source.marks, kPlain);
}

TEST(DetectDecimal, WhatIsAskedForGoesFirst) {
  EXPECT_EQ(column(settled_csv("w;x\n1,538;0.5\n", Decimal::point), 0).marks, kPointOnly);
  EXPECT_EQ(column(settled_csv("w,x\n\"1,538\",3\n", Decimal::comma), 0).marks, kCommaOnly);
}

TEST(DetectDecimal, RatingsAreLookedAtToo) {
  RawSource source;
  source.content = read_triplets(
      *core::ByteSource::from_memory("user;item;value\na;b;3,5\na;c;1,125\n", "t.csv"), {});
  settle_marks(source, MissingStrings({}), Decimal::automatic);
  EXPECT_EQ(std::get<RawTriplets>(source.content).numbers.marks, kCommas);
}

TEST(DetectDecimal, ASchemaHoldsWhereTheCellsDoNotTell) {
  const WrittenNumbers unsure{kPlain, false, {}};
  const WrittenNumbers point{kPlain, true, {}};
  EXPECT_EQ(marks_by(kCommas, unsure, Decimal::automatic), kCommas);
  EXPECT_EQ(marks_by(kCommaOnly, point, Decimal::automatic), kPlain);
  EXPECT_EQ(marks_by(kPlain, {kCommas, false, {}}, Decimal::automatic), kCommas);
  EXPECT_EQ(marks_by(kCommas, {kPointOnly, true, {}}, Decimal::point), kPointOnly);
}

}  // namespace
}  // namespace medley::data
