// SPDX-License-Identifier: Apache-2.0
// The public read(): files on disk to data, with the real families.
#include "medley/io.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "medley/error.hpp"
#include "support/files.hpp"

namespace medley {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::string refusal(const std::string& name, const std::string& content,
                    const ReadOptions& options = {}) {
  try {
    (void)test::read_file(name, content, options);
  } catch (const InputError& e) {
    return e.what();
  }
  return "";
}

TEST(Read, TheBundledVotesHave435RowsOf16ItemsAnd392MissingCells) {
  ReadOptions options;
  options.keep = {"party"};
  const Dataset data = read({parse_source(MEDLEY_DATA "/house-votes-1984.csv")}, options);
  EXPECT_EQ(data.rows, 435U);
  ASSERT_EQ(data.blocks.size(), 1U);
  EXPECT_EQ(data.blocks[0].family, "bernoulli");
  EXPECT_EQ(data.blocks[0].features.size(), 16U);
  EXPECT_THAT(data.blocks[0].features[0].levels, ElementsAre("n", "y"));
  EXPECT_EQ(data.blocks[0].missing, 392U);
  EXPECT_EQ(data.blocks[0].cells(), 6960U - 392U);
  std::size_t yes = 0;
  for (const std::uint32_t slot : data.blocks[0].slot) yes += slot % 2;
  EXPECT_EQ(yes, 3421U);
  const KeptColumn* party = data.kept_column("party");
  ASSERT_NE(party, nullptr);
  EXPECT_THAT(party->levels, ElementsAre("democrat", "republican"));
  EXPECT_EQ(std::count(party->code.begin(), party->code.end(), 0), 267);
}

TEST(Read, FamiliesFollowTheNumberOfLevels) {
  const Dataset data = test::read_file("t.csv", "x,y\na,1\nb,2\n,3\na,1\n");
  ASSERT_EQ(data.blocks.size(), 2U);
  EXPECT_EQ(data.schema.find("x")->family, "bernoulli");
  EXPECT_EQ(data.schema.find("y")->family, "categorical");
  EXPECT_EQ(data.blocks[0].missing + data.blocks[1].missing, 1U);
}

TEST(Read, WordCountsAreTokens) {
  const Dataset data = test::read_file("c.ldac", "2 0:3 2:1\n1 1:2\n0\n");
  EXPECT_EQ(data.rows, 3U);
  ASSERT_EQ(data.blocks.size(), 1U);
  EXPECT_EQ(data.blocks[0].family, "tokens");
  EXPECT_EQ(data.blocks[0].slots(), 3U);
  EXPECT_EQ(data.observed(0), 4.0);
  EXPECT_EQ(data.observed(2), 0.0);
}

TEST(Read, ASchemaFixesLevelsAndUnseenOnesAreMissing) {
  ReadOptions options;
  options.schema = test::read_file("t.csv", "x,y\na,u\nb,v\na,w\n").schema;
  const Dataset data = test::read_file("t.csv", "y,x\nu,b\nz,a\n", options);
  EXPECT_EQ(data.blocks[0].slots() + data.blocks[1].slots(), 5U);
  EXPECT_EQ(data.blocks[0].unseen + data.blocks[1].unseen, 1U);
  EXPECT_EQ(data.observed(1), 1.0);
}

TEST(Read, AClassThatTheSchemaDoesNotKnowIsNotMissing) {
  ReadOptions options;
  options.label = "y";
  const Schema schema = test::read_file("t.csv", "x,y\na,u\nb,v\na,u\n", options).schema;
  options = {};
  options.schema = schema;
  const Dataset data = test::read_file("t.csv", "x,y\nb,v\na,z\na,\n", options);
  ASSERT_NE(data.label(), nullptr);
  EXPECT_EQ(data.label()->code, (std::vector<std::int32_t>{1, kUnknownClass, kMissingClass}));
  EXPECT_THAT(data.warnings.at(0), HasSubstr("classes the schema does not know: \"z\""));
}

TEST(Read, ASchemaWithOneLevelForAYesNoColumnIsRefused) {
  ReadOptions options;
  options.schema = test::read_file("t.csv", "x,y\na,1\nb,2\n").schema;
  options.schema->sources[0].columns[1].levels = {"1"};
  EXPECT_THAT(refusal("t.csv", "x,y\na,1\nb,2\n", options), HasSubstr("takes 2"));
}

TEST(Read, TwoSourcesGiveBlocksOfBoth) {
  const Dataset data = test::survey_and_corpus(20);
  EXPECT_EQ(data.rows, 20U);
  ASSERT_EQ(data.blocks.size(), 3U);
  EXPECT_EQ(data.kept_column("kind")->code[9], kMissingClass);
}

TEST(Read, WhatIsWrongIsSaidWithTheFile) {
  EXPECT_THAT(refusal("t.csv", "x,y\na,b\nc\n"), HasSubstr("t.csv:3"));
  EXPECT_THAT(refusal("t.csv", ""), HasSubstr("t.csv"));
  EXPECT_THAT(refusal("c.ldac", "2 0:3\n"), HasSubstr("c.ldac:1"));
  ReadOptions options;
  options.family["x"] = "martian";
  EXPECT_THAT(refusal("t.csv", "x\na\nb\n", options), HasSubstr("martian"));
  options.family["x"] = "bernoulli";
  EXPECT_THAT(refusal("t.csv", "x\na\nb\nc\n", options), HasSubstr("categorical"));
  options = {};
  options.label = "nowhere";
  EXPECT_THAT(refusal("t.csv", "x\na\nb\n", options), HasSubstr("nowhere"));
  EXPECT_THROW((void)read({{"", "no-such-file.csv"}}, {}), InputError);
}

TEST(Read, InferSchemaSaysWhatReadDoes) {
  const testing::TemporaryFolder folder;
  testing::put_content(folder / "s.csv", test::survey_csv(30));
  const std::vector<Source> sources = {{"", folder / "s.csv"}};
  EXPECT_EQ(to_toml(infer_schema(sources, {})), to_toml(read(sources, {}).schema));
}

}  // namespace
}  // namespace medley
