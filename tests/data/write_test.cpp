// SPDX-License-Identifier: Apache-2.0
// Files written from a data set read back as the same data set.
#include <gtest/gtest.h>

#include "core/temporary_folder.hpp"
#include "data/load.hpp"
#include "data/same_data.hpp"
#include "data/samples.hpp"
#include "medley/error.hpp"
#include "medley/io.hpp"

namespace medley::data {
namespace {

using testing::content_of;
using testing::expect_same_data;
using testing::put_content;
using testing::TemporaryFolder;

Dataset loaded(const std::vector<Source>& sources, const ReadOptions& options) {
  return load(sources, options, testing::small_catalogue());
}

// Writes, reads by the schema (through TOML, as a person would), compares.
void expect_round_trip(const Dataset& data, const std::vector<Source>& files,
                       const std::vector<std::string>& keep = {}) {
  write_data(data, files);
  ReadOptions again;
  again.schema = schema_from_toml(to_toml(data.schema), "schema.toml");
  again.keep = keep;
  expect_same_data(data, loaded(files, again));
}

TEST(Write, ATableWithEveryKindOfColumnAndHostileText) {
  const TemporaryFolder folder;
  put_content(folder / "in.csv",
              "name,\"q;1\",\"a \"\"b\"\"\",x,class,w\n"
              "r1,yes,\" edge\",0.1,A,1\n"
              "r2,no,\"two\nlines\",-3e-300,B,2\n"
              "r3,,\"c,d\",,A,3\n"
              "r4,yes,?,12345678901234567,,2\n"
              "r5,no,plain,1e22,B,2\n");
  ReadOptions options;
  options.id = "name";
  options.label = "class";
  options.weight = "w";
  options.frequency_weights = true;
  options.family["x"] = "gaussian";
  const Dataset data = loaded({{"", folder / "in.csv"}}, options);
  ASSERT_EQ(data.blocks.size(), 3U);
  expect_round_trip(data, {{"", folder / "out.csv"}});
}

TEST(Write, ColumnsSetAsideKeepTheirPlace) {
  const TemporaryFolder folder;
  put_content(folder / "in.csv", "q1,class,q2\nyes,A,a\nno,B,b\nyes,,c\n");
  ReadOptions options;
  options.keep = {"class"};
  const Dataset data = loaded({{"", folder / "in.csv"}}, options);
  expect_round_trip(data, {{"", folder / "out.csv"}}, {"class"});
  EXPECT_EQ(content_of(folder / "out.csv"), "q1,class,q2\nyes,A,a\nno,B,b\nyes,,c\n");
}

TEST(Write, AMissingCellOfTheOnlyColumnIsNoBlankLine) {
  const TemporaryFolder folder;
  put_content(folder / "in.csv", "q\nyes\n?\nno\n");
  const Dataset data = loaded({{"", folder / "in.csv"}}, {});
  expect_round_trip(data, {{"", folder / "out.csv"}});
  EXPECT_EQ(content_of(folder / "out.csv"), "q\nyes\nNA\nno\n");
}

TEST(Write, MissingAsALevelStaysMissingInTheFile) {
  const TemporaryFolder folder;
  put_content(folder / "in.csv", "q,r\na,x\nb,\nc,y\n,y\n");
  ReadOptions options;
  options.missing_as_category = true;
  const Dataset data = loaded({{"", folder / "in.csv"}}, options);
  expect_round_trip(data, {{"", folder / "out.csv"}});
  EXPECT_EQ(content_of(folder / "out.csv"), "q,r\na,x\nb,\nc,y\n,y\n");
}

TEST(Write, TripletsWithARowThatHasNothing) {
  const TemporaryFolder folder;
  put_content(folder / "in.csv", "user,item,value\nu2,m1,5\nu1,m2,3\nu2,m3,3\nu3,m2,NA\nu1,m1,4\n");
  ReadOptions options;
  options.format = Format::triplets;
  const Dataset data = loaded({{"", folder / "in.csv"}}, options);
  ASSERT_EQ(data.rows, 3U);
  expect_round_trip(data, {{"", folder / "out.csv"}});
}

TEST(Write, NumbersOfTriplets) {
  const TemporaryFolder folder;
  put_content(folder / "in.csv", "user,item,value\na,\"x,1\",-7.82\na,y,0.1\nb,y,3\n");
  ReadOptions options;
  options.format = Format::triplets;
  options.family["value"] = "gaussian";
  const Dataset data = loaded({{"", folder / "in.csv"}}, options);
  expect_round_trip(data, {{"", folder / "out.csv"}});
}

TEST(Write, WordsAndATableOfTheSameRows) {
  const TemporaryFolder folder;
  put_content(folder / "docs.ldac", "2 0:1 2:3\n0\n1 1:2.5\n");
  put_content(folder / "docs_vocab.txt", "apple\nbanana\ncherry\nnever\n");
  put_content(folder / "sex.txt", "m\nNA\nf\n");
  const Dataset data = loaded({{"words", folder / "docs.ldac"}, {"sex", folder / "sex.txt"}}, {});
  ASSERT_EQ(data.blocks.size(), 2U);
  expect_round_trip(data, {{"words", folder / "o.d.ldac"}, {"sex", folder / "o.txt"}});
  EXPECT_EQ(content_of(folder / "o.d_vocab.txt"), "apple\nbanana\ncherry\nnever\n");
}

TEST(Write, ColumnsOfTextTagsAndSets) {
  const TemporaryFolder folder;
  put_content(folder / "in.csv",
              "note,refs,media,q\n"
              "the cat saw the dog,a|b|a,TV;Web,yes\n"
              "a dog,,;,no\n"
              ",c,Web,yes\n"
              "cat,b,,no\n");
  ReadOptions options;
  options.family = {{"note", "text"}, {"refs", "tags"}, {"media", "set"}};
  options.words.min_count = 1;
  const Dataset data = loaded({{"", folder / "in.csv"}}, options);
  ASSERT_EQ(data.blocks.size(), 4U);
  expect_round_trip(data, {{"", folder / "out.csv"}});
}

TEST(Write, SeveralSourcesNeedAFileEach) {
  const TemporaryFolder folder;
  put_content(folder / "docs.ldac", "1 0:1\n1 1:2\n");
  put_content(folder / "q.csv", "q\na\nb\n");
  const Dataset data = loaded({{"words", folder / "docs.ldac"}, {"t", folder / "q.csv"}}, {});
  EXPECT_THROW(write_data(data, {{"", folder / "o.csv"}}), InputError);
  EXPECT_THROW(write_data(data, {{"t", folder / "o.csv"}}), InputError);
  EXPECT_THROW(write_data(data, {{"t", folder / "o.csv"}, {"words", folder / "o.csv"}}),
               InputError);
  EXPECT_EQ(folder.entries(), 2U);
}

}  // namespace
}  // namespace medley::data
