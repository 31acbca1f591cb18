// SPDX-License-Identifier: Apache-2.0
// The rows of a stream file under a model's schema, against the original file read by that schema.
#include "data/schema_rows.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "medley/error.hpp"
#include "support/files.hpp"

namespace medley {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using testing::put_content;
using testing::TemporaryFolder;

ReadOptions by(const Schema& schema) {
  ReadOptions options;
  options.schema = schema;
  return options;
}

void expect_same_cells(const Dataset& a, const Dataset& b) {
  ASSERT_EQ(a.rows, b.rows);
  ASSERT_EQ(a.blocks.size(), b.blocks.size());
  for (std::size_t i = 0; i < a.blocks.size(); ++i) {
    EXPECT_EQ(a.blocks[i].name, b.blocks[i].name);
    EXPECT_EQ(a.blocks[i].row_start, b.blocks[i].row_start);
    EXPECT_EQ(a.blocks[i].slot, b.blocks[i].slot);
    EXPECT_EQ(a.blocks[i].weight, b.blocks[i].weight);
  }
}

TEST(SchemaRows, AnotherVocabularyIsTranslatedAndWhatIsUnknownNamed) {
  const TemporaryFolder folder;
  put_content(folder / "old.ldac", "2 0:1 1:2\n1 2:4\n");
  put_content(folder / "old_vocab.txt", "sun\nrain\nsnow\n");
  put_content(folder / "new.ldac", "3 0:2 1:1 3:1\n2 1:5 2:1\n1 3:7\n");
  put_content(folder / "new_vocab.txt", "rain\nfog\nsun\nhail\n");
  const Schema schema = read({{"", folder / "old.ldac"}}, {}).schema;
  write_stream(read({{"weather", folder / "new.ldac"}}, {}), folder / "new.stream");
  const auto rows = open_stream(folder / "new.stream", by(schema));
  const Dataset read_by_schema = read({{"", folder / "new.ldac"}}, by(schema));
  expect_same_cells(rows->batch(0, 3), read_by_schema);
  EXPECT_THAT(rows->batch(0, 1).blocks[0].slot, ElementsAre(1U));  // rain
  EXPECT_EQ(rows->shape().blocks[0].unseen, 4U);
  ASSERT_EQ(rows->shape().unknown.size(), 2U);
  EXPECT_EQ(rows->shape().unknown[0].name, "hail");
  EXPECT_EQ(rows->shape().unknown[0].count, 8);
  EXPECT_EQ(rows->shape().unknown[1].name, "fog");
  const Dataset loaded = read({{"", folder / "new.stream"}}, by(schema));
  expect_same_cells(loaded, read_by_schema);
  EXPECT_EQ(loaded.unknown.size(), 2U);
}

TEST(SchemaRows, ColumnsMissingOrExtraAreReported) {
  const TemporaryFolder folder;
  const Schema schema = test::read_file("t.csv", "a,b\nx,u\ny,v\nx,v\ny,u\n").schema;
  put_content(folder / "n.csv", "a,c\nx,1\ny,2\nx,1\n");
  ReadOptions levels;
  levels.family = {{"c", "categorical"}};
  write_stream(read({{"", folder / "n.csv"}}, levels), folder / "n.stream");
  const auto rows = open_stream(folder / "n.stream", by(schema));
  EXPECT_THAT(rows->shape().extra, ElementsAre("c"));
  ASSERT_EQ(rows->shape().warnings.size(), 1U);
  EXPECT_THAT(rows->shape().warnings[0], HasSubstr("1 column of the schema absent"));
  EXPECT_THAT(rows->shape().warnings[0], HasSubstr("\"b\""));
}

TEST(SchemaRows, OtherSourcesAreRefused) {
  const TemporaryFolder folder;
  write_stream(test::survey_and_corpus(20), folder / "d.stream");
  EXPECT_THROW((void)open_stream(folder / "d.stream", by(test::corpus(20).schema)), InputError);
}

}  // namespace
}  // namespace medley
