// SPDX-License-Identifier: Apache-2.0
// What a schema does not know, by name, for every shape of source.
#include "data/message_text.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/files.hpp"

namespace medley {
namespace {

using ::testing::ElementsAre;

std::vector<std::string> written(const Dataset& data) {
  std::vector<std::string> out;
  for (const Unknown& u : data.unknown)
    out.push_back(u.block + ": " + u.name + " " + std::to_string(static_cast<int>(u.count)));
  return out;
}

ReadOptions by(const Schema& schema) {
  ReadOptions options;
  options.schema = schema;
  return options;
}

TEST(Unknown, TheMostFrequentComeFirstAndTenAreNamed) {
  std::vector<std::pair<std::string, double>> counts;
  for (int i = 0; i < 15; ++i) counts.emplace_back("w" + std::to_string(i), i / 2);
  std::vector<Unknown> out;
  data::add_unknown("text", counts, out);
  ASSERT_EQ(out.size(), kNamedUnknown);
  EXPECT_EQ(out[0].name, "w14");
  EXPECT_EQ(out[1].name, "w12");  // 6 each: by name
  EXPECT_EQ(out[2].name, "w13");
  EXPECT_EQ(out[9].count, 2);
}

TEST(Unknown, WordsOfCounts) {
  const Schema schema = test::read_file("c.ldac", "2 0:1 1:1\n1 1:3\n").schema;
  EXPECT_THAT(written(test::read_file("d.ldac", "3 0:1 2:2 3:1\n2 2:3 4:1\n", by(schema))),
              ElementsAre("data: 2 5", "data: 3 1", "data: 4 1"));
}

TEST(Unknown, LevelsOfATableAndExtraColumns) {
  const Schema schema = test::read_file("t.csv", "a,b\nx,u\ny,v\nx,v\ny,u\n").schema;
  const Dataset data = test::read_file("n.csv", "a,c,b\nz,1,u\nz,2,w\nx,3,v\n", by(schema));
  EXPECT_THAT(written(data), ElementsAre("data: a = \"z\" 2", "data: b = \"w\" 1"));
  EXPECT_THAT(data.extra, ElementsAre("c"));
}

TEST(Unknown, ItemsOfARatingLog) {
  ReadOptions options;
  options.format = Format::triplets;
  const Schema schema =
      test::read_file("t.csv", "user,item,value\na,p,1\na,q,2\nb,p,2\nb,q,1\n", options).schema;
  ReadOptions next = by(schema);
  next.format = options.format;
  EXPECT_THAT(written(test::read_file("n.csv", "user,item,value\na,r,1\nb,r,2\nb,p,1\n", next)),
              ElementsAre("data: r 2"));
}

TEST(Unknown, NothingWhereTheSchemaKnowsAll) {
  const Dataset data = test::survey(50);
  ReadOptions options = by(data.schema);
  options.keep = {"kind"};
  const Dataset again = test::read_file("s.csv", test::survey_csv(50), options);
  EXPECT_TRUE(again.unknown.empty());
  EXPECT_TRUE(again.extra.empty());
}

}  // namespace
}  // namespace medley
