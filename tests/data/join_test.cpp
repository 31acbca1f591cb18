// SPDX-License-Identifier: Apache-2.0
#include "data/join.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "data/encode.hpp"
#include "data/infer.hpp"
#include "data/samples.hpp"

namespace medley::data {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using namespace medley::testing;

const FamilyCatalogue kCatalogue = small_catalogue();

Dataset join(const std::vector<RawSource>& sources, const ReadOptions& options) {
  return encode(sources, infer(sources, options, kCatalogue).schema, options, kCatalogue);
}

std::string refusal(const std::vector<RawSource>& sources, const ReadOptions& options) {
  return complaint([&] { (void)join(sources, options); });
}

ReadOptions by_id(const std::string& id) {
  ReadOptions options;
  options.id = id;
  return options;
}

const RawSource kA = table("a", {"id", "x"}, {{"p1", "u"}, {"p2", "v"}, {"p3", "u"}});

TEST(Join, OneSourceTakesItsIdsFromTheIdColumn) {
  const Dataset data = join({kA}, by_id("id"));
  EXPECT_THAT(data.ids, ElementsAre("p1", "p2", "p3"));
  EXPECT_EQ(data.id_of(1), "p2");
  EXPECT_EQ(join({kA}, {}).id_of(1), "2");
}

TEST(Join, ByIdFollowsTheFirstSource) {
  const auto b = table("b", {"y", "id"}, {{"s", "p3"}, {"t", "p4"}, {"r", "p1"}, {"r", "p5"}});
  const Dataset data = join({kA, b}, by_id("id"));
  ASSERT_EQ(data.rows, 3U);
  ASSERT_EQ(data.blocks.size(), 2U);
  EXPECT_EQ(data.blocks[1].name, "b");
  EXPECT_EQ(decoded(data.blocks[1], 0, "y"), "r");
  EXPECT_EQ(decoded(data.blocks[1], 1, "y"), "");
  EXPECT_EQ(decoded(data.blocks[1], 2, "y"), "s");
  EXPECT_EQ(data.blocks[1].missing, 1U);
  EXPECT_THAT(data.warnings,
              ElementsAre(AllOf(HasSubstr("b.csv: 1 id of a.csv not found"), HasSubstr("\"p2\"")),
                          HasSubstr("b.csv: 2 rows left out, their ids are not in a.csv")));
}

TEST(Join, RepeatedIdsAreRefusedWithTheirLines) {
  const auto b = table("b", {"id", "y"}, {{"p1", "s"}, {"p2", "t"}, {"p1", "r"}});
  EXPECT_THAT(
      refusal({kA, b}, by_id("id")),
      AllOf(HasSubstr("b.csv:4: column \"id\""), HasSubstr("\"p1\" occurred before, at b.csv:2")));
  EXPECT_THAT(join({b}, by_id("id")).warnings, Contains(HasSubstr("occur more than once")));
}

TEST(Join, AMissingIdIsRefusedWithItsLine) {
  const auto b = table("b", {"id", "y"}, {{"p1", "s"}, {"", "t"}});
  EXPECT_THAT(refusal({b}, by_id("id")), HasSubstr("b.csv:3: column \"id\": the id is missing"));
}

TEST(Join, WithoutIdsLinesBelongTogether) {
  const auto b = table("b", {"y"}, {{"r"}, {"s"}, {"t"}});
  const auto docs = documents("words", {"sun"}, {{{0, 1.0F}}, {}, {{0, 2.0F}}});
  const Dataset data = join({docs, b}, {});
  EXPECT_EQ(data.rows, 3U);
  EXPECT_THAT(data.ids, IsEmpty());
  EXPECT_DOUBLE_EQ(data.observed(2), 3.0);
  EXPECT_DOUBLE_EQ(data.observed(1), 1.0);
}

TEST(Join, UnequalLengthsAreRefusedNamingBoth) {
  const auto b = table("b", {"y"}, {{"r"}, {"s"}});
  EXPECT_THAT(refusal({kA, b}, {}),
              AllOf(HasSubstr("b.csv: has 2 rows, but a.csv has 3"), HasSubstr("`id`")));
}

TEST(Join, SourcesWithoutIdsMakeAllGoByLineAndIdsAreStillUsed) {
  const auto docs = documents("words", {"sun"}, {{{0, 1.0F}}, {}, {{0, 2.0F}}});
  EXPECT_THAT(join({docs, kA}, by_id("id")).ids, ElementsAre("p1", "p2", "p3"));
  const auto b = table("b", {"id", "y"}, {{"p1", "r"}, {"p3", "s"}, {"p2", "r"}});
  EXPECT_THAT(refusal({docs, kA, b}, by_id("id")),
              AllOf(HasSubstr("b.csv:3: the id is \"p3\""), HasSubstr("at a.csv:3 it is \"p2\"")));
}

TEST(Join, TripletsAreJoinedByIdOnly) {
  const auto log =
      triplets("r", {{"p3", "m1", "5"}, {"p1", "m2", "3"}, {"p3", "m2", "4"}, {"p7", "m2", "4"}});
  const Dataset first = join({log, kA}, by_id("id"));
  EXPECT_THAT(first.ids, ElementsAre("p3", "p1", "p7"));
  EXPECT_EQ(decoded(first.blocks[1], 1, "x"), "u");
  const Dataset second = join({kA, log}, by_id("id"));
  EXPECT_THAT(second.ids, ElementsAre("p1", "p2", "p3"));
  EXPECT_EQ(decoded(second.blocks[1], 2, "m2"), "4");
  EXPECT_EQ(decoded(second.blocks[1], 2, "m1"), "5");
  EXPECT_EQ(decoded(second.blocks[1], 1, "m1"), "");
  EXPECT_THAT(refusal({log, kA}, {}),
              AllOf(HasSubstr("a.csv"), HasSubstr("cannot be joined with triplets")));
}

}  // namespace
}  // namespace medley::data
