// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "medley/error.hpp"
#include "medley/io.hpp"

namespace medley {
namespace {

void expect_source(const std::string& argument, const std::string& name, const std::string& path) {
  const Source source = parse_source(argument);
  EXPECT_EQ(source.name, name) << argument;
  EXPECT_EQ(source.path, path) << argument;
}

TEST(Source, NamesAreSplitFromPaths) {
  expect_source("words=docs.ldac", "words", "docs.ldac");
  expect_source("a-1_b.c=dir/x.csv", "a-1_b.c", "dir/x.csv");
  expect_source("words=a=b.csv", "words", "a=b.csv");
  expect_source("words=-", "words", "-");
}

TEST(Source, PathsAreLeftWhole) {
  expect_source("docs.ldac", "", "docs.ldac");
  expect_source("-", "", "-");
  expect_source("./a=b.csv", "", "./a=b.csv");
  expect_source("dir/k=3.csv", "", "dir/k=3.csv");
  expect_source("..=b", "", "..=b");
  expect_source("my file=b", "", "my file=b");
  expect_source("=b", "", "=b");
}

TEST(Source, ANameWithoutAFileIsRefused) {
  EXPECT_THROW((void)parse_source("words="), InputError);
  EXPECT_THROW((void)parse_source(""), InputError);
}

TEST(Missing, OnlyTheListedStringsAreMissing) {
  for (const char* text : {"", "NA", "NaN", "nan", "?", "null", "None"}) {
    EXPECT_TRUE(is_standard_missing(text)) << text;
  }
  for (const char* text : {"na", "NAN", "none", "NULL", "Null", " ", "-", "N/A", "0"}) {
    EXPECT_FALSE(is_standard_missing(text)) << text;
  }
}

TEST(Dataset, ObservedSumsTheWeightsOfAllBlocks) {
  Dataset data;
  data.rows = 2;
  data.blocks.resize(2);
  data.blocks[0].row_start = {0, 2, 2};
  data.blocks[0].slot = {0, 3};
  data.blocks[1].row_start = {0, 1, 3};
  data.blocks[1].slot = {1, 0, 1};
  data.blocks[1].weight = {2.5F, 1.0F, 4.0F};
  EXPECT_DOUBLE_EQ(data.observed(0), 4.5);
  EXPECT_DOUBLE_EQ(data.observed(1), 5.0);
  data.kept.push_back({"class", {"a"}, {0, -1}});
  EXPECT_EQ(data.kept_column("class")->code[1], -1);
  EXPECT_EQ(data.kept_column("other"), nullptr);
}

}  // namespace
}  // namespace medley
