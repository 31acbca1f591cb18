// SPDX-License-Identifier: Apache-2.0
// Schemas and streams from pieces are those of all rows at once.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/temporary_folder.hpp"
#include "data/same_data.hpp"
#include "medley/error.hpp"
#include "medley/io.hpp"
#include "support/memory_tables.hpp"

namespace medley {
namespace {

using test::one_source;
using test::rows_of;
using test::text_column;
using testing::expect_same_data;
using ::testing::HasSubstr;
using testing::TemporaryFolder;

constexpr std::size_t kPiece = 7;

template <class Content>
std::vector<std::vector<MemorySource>> pieces_of(const Content& content, std::size_t rows,
                                                 std::size_t size = kPiece) {
  std::vector<std::vector<MemorySource>> out;
  for (std::size_t begin = 0; begin < rows; begin += size)
    out.push_back(one_source(rows_of(content, begin, std::min(rows, begin + size))));
  return out;
}

std::string schema_by_pieces(const std::vector<std::vector<MemorySource>>& pieces,
                             const ReadOptions& options) {
  SchemaBuilder builder(options);
  for (const auto& piece : pieces) builder.add(piece);
  return to_toml(builder.finish());
}

// Every other piece by another builder, merged in order.
std::string schema_by_shards(const std::vector<std::vector<MemorySource>>& pieces,
                             const ReadOptions& options) {
  SchemaBuilder all(options);
  for (const auto& piece : pieces) {
    SchemaBuilder shard(options);
    shard.add(piece);
    all.merge(shard);
  }
  return to_toml(all.finish());
}

TEST(SchemaBuilder, ATableOfEveryKindByPieces) {
  const MemoryTable table = test::mixed_table(101).table;
  const ReadOptions options = test::mixed_options();
  const std::string whole = to_toml(infer_schema(one_source(table), options));
  EXPECT_EQ(schema_by_pieces(pieces_of(table, 101), options), whole);
  EXPECT_EQ(schema_by_shards(pieces_of(table, 101, 30), options), whole);
}

TEST(SchemaBuilder, WordCountsByPieces) {
  test::Corpus corpus = test::word_counts(50, 30);
  std::string whole = to_toml(infer_schema(one_source(corpus.counts), {}));
  EXPECT_EQ(schema_by_pieces(pieces_of(corpus.counts, 50), {}), whole);
  corpus.counts.vocabulary.clear();  // words by number: a piece may not have them all
  whole = to_toml(infer_schema(one_source(corpus.counts), {}));
  EXPECT_EQ(schema_by_pieces(pieces_of(corpus.counts, 50), {}), whole);
}

TEST(SchemaBuilder, FractionsInOnePieceDecideAsInTheWhole) {
  test::Corpus corpus = test::word_counts(50, 30);
  corpus.counts.count[3] = 0.5F;
  ReadOptions options;
  const std::string whole = to_toml(infer_schema(one_source(corpus.counts), options));
  EXPECT_EQ(schema_by_pieces(pieces_of(corpus.counts, 50), options), whole);
}

TEST(SchemaBuilder, TripletsByPieces) {
  const MemoryTriplets log = test::ratings(60).triplets;
  const std::string whole = to_toml(infer_schema(one_source(log), {}));
  std::vector<std::vector<MemorySource>> pieces;
  const std::size_t size = log.row.code.size();
  for (std::size_t begin = 0; begin < size; begin += kPiece) {
    const std::size_t end = std::min(size, begin + kPiece);
    pieces.push_back(
        one_source(MemoryTriplets{rows_of(log.row, begin, end), rows_of(log.item, begin, end),
                                  rows_of(std::get<NumberColumn>(log.value), begin, end)}));
  }
  EXPECT_EQ(schema_by_pieces(pieces, {}), whole);
  EXPECT_EQ(schema_by_shards(pieces, {}), whole);
}

TEST(SchemaBuilder, RandomTablesByPieces) {
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    core::Rng rng(seed, 90);
    const std::size_t rows = 2 + rng.below(80);
    MemoryTable table;
    table.rows = rows;
    for (std::size_t c = 0; c < 6; ++c) {
      const std::uint64_t different = 1 + rng.below(c % 2 == 0 ? 5 : 3 * rows);
      std::vector<std::string> texts;
      NumberColumn numbers;
      for (std::size_t row = 0; row < rows; ++row) {
        const std::uint64_t value = c == 3 ? row : rng.below(different);
        texts.push_back(rng.uniform() < 0.1 && c != 3 ? "" : "t" + std::to_string(value));
        numbers.value.push_back(static_cast<double>(value) / (c == 1 ? 4 : 1));
      }
      if (c < 4) table.columns.push_back({"n" + std::to_string(c), numbers});
      if (c >= 4) table.columns.push_back({"t" + std::to_string(c), text_column(texts)});
    }
    const auto outcome = [](auto make) {
      try {
        return make();
      } catch (const InputError& error) {
        return std::string(error.what());
      }
    };
    EXPECT_EQ(outcome([&] { return schema_by_pieces(pieces_of(table, rows), {}); }),
              outcome([&] { return to_toml(infer_schema(one_source(table), {})); }))
        << "seed " << seed;
  }
}

TEST(SchemaBuilder, PiecesThatDifferAreRefusedAndLeaveWhatThereWas) {
  const MemoryTable table = test::mixed_table(20).table;
  SchemaBuilder builder(test::mixed_options());
  builder.add(one_source(table));
  const std::string before = to_toml(builder.finish());
  const auto refusal = [&](std::vector<MemorySource> piece) {
    try {
      builder.add(piece);
    } catch (const InputError& error) {
      return std::string(error.what());
    }
    return std::string("taken");
  };
  MemoryTable fewer = table;
  fewer.columns.pop_back();
  EXPECT_THAT(refusal(one_source(fewer)), HasSubstr("has 7 columns, and had 8"));
  MemoryTable renamed = table;
  renamed.columns[1].name = "Colour";
  EXPECT_THAT(refusal(one_source(renamed)), HasSubstr("\"Colour\" in the place of \"colour\""));
  EXPECT_THAT(refusal(one_source(test::word_counts(3, 4).counts)), HasSubstr("of another kind"));
  MemoryTable broken = table;
  std::get<TextColumn>(broken.columns[1].cells).code[0] = 99;
  EXPECT_THAT(refusal(one_source(broken)), HasSubstr("code 99"));
  EXPECT_EQ(to_toml(builder.finish()), before);
  EXPECT_EQ(builder.rows(), 20U);
  EXPECT_THROW((void)SchemaBuilder().finish(), InputError);
}

// Two passes: the schema, then the rows.
std::string stream_by_pieces(const MemoryTable& table, const ReadOptions& options,
                             const std::string& path) {
  SchemaBuilder builder(options);
  for (const auto& piece : pieces_of(table, table.rows)) builder.add(piece);
  ReadOptions reading = options;
  reading.schema = builder.finish();
  StreamWriter writer(path);
  for (auto& piece : pieces_of(table, table.rows))
    writer.append(dataset(std::move(piece), reading));
  writer.finish(*reading.schema);
  return path;
}

TEST(StreamWriter, PiecesMakeTheStreamOfTheWhole) {
  const TemporaryFolder folder;
  const MemoryTable table = test::mixed_table(150).table;
  const ReadOptions options = test::mixed_options();
  const auto pieces = open_stream(stream_by_pieces(table, options, folder / "pieces.stream"));
  const Dataset whole = dataset(one_source(table), options);
  Dataset read = pieces->batch(0, pieces->rows());
  // Weights are divided by their mean, which a piece knows of itself only.
  ASSERT_EQ(read.row_weight.size(), whole.row_weight.size());
  for (std::size_t row = 0; row < whole.rows; ++row)
    EXPECT_NEAR(read.row_weight[row], whole.row_weight[row], 1e-12);
  read.row_weight = whole.row_weight;
  expect_same_data(read, whole);
}

TEST(StreamWriter, WithoutWeightsTheFileIsTheSame) {
  const TemporaryFolder folder;
  MemoryTable table = test::mixed_table(150).table;
  table.columns.erase(table.columns.begin() + 6);  // prose: a piece has words that are no level
  table.columns.erase(table.columns.begin() + 4);  // weights
  ReadOptions options = test::mixed_options();
  options.weight.clear();
  stream_by_pieces(table, options, folder / "pieces.stream");
  write_stream(dataset(one_source(table), options), folder / "whole.stream");
  EXPECT_TRUE(testing::content_of(folder / "pieces.stream") ==
              testing::content_of(folder / "whole.stream"));
}

TEST(StreamWriter, KeptColumnsHaveTheLevelsOfAllPieces) {
  const TemporaryFolder folder;
  MemoryTable table;
  table.rows = 30;
  std::vector<std::string> group, answer;
  for (std::size_t row = 0; row < table.rows; ++row) {
    answer.emplace_back(row % 2 == 0 ? "yes" : "no");
    group.push_back(row % 9 == 8 ? "" : "g" + std::to_string(9 - row / 4));
  }
  table.columns = {{"answer", text_column(answer)}, {"group", text_column(group)}};
  ReadOptions options;
  options.keep = {"group"};
  const auto pieces = open_stream(stream_by_pieces(table, options, folder / "pieces.stream"));
  expect_same_data(pieces->batch(0, 30), dataset(one_source(table), options));
}

TEST(StreamWriter, RowsThatAreUnlikeTheFirstOrUnsoundAreRefused) {
  const TemporaryFolder folder;
  const Dataset data = dataset(one_source(test::mixed_table(20).table), test::mixed_options());
  StreamWriter writer(folder / "x.stream");
  EXPECT_THROW(writer.finish(data.schema), InputError);
  writer.append(data);
  const auto refusal = [&](auto change) {
    Dataset other = data;
    change(other);
    try {
      writer.append(other);
    } catch (const InputError& error) {
      return std::string(error.what());
    }
    return std::string("taken");
  };
  EXPECT_THAT(refusal([](Dataset& d) { d.blocks.pop_back(); }), HasSubstr("has 3 blocks"));
  EXPECT_THAT(refusal([](Dataset& d) { d.blocks[0].features[0].levels[0] = "other"; }),
              HasSubstr("is unlike block"));
  EXPECT_THAT(refusal([](Dataset& d) { d.kept[0].levels.emplace_back("three"); }),
              HasSubstr("its levels are not those of the schema"));
  EXPECT_THAT(refusal([](Dataset& d) { d.kept[0].name = "other"; }),
              HasSubstr("in the place of \"kind\""));
  EXPECT_THAT(refusal([](Dataset& d) { d.ids.clear(); }), HasSubstr("ids"));
  EXPECT_THAT(refusal([](Dataset& d) { d.row_weight.clear(); }), HasSubstr("row weights"));
  EXPECT_THAT(refusal([](Dataset& d) { d.blocks[0].slot[0] = 77; }), HasSubstr("slot 77"));
  EXPECT_THAT(refusal([](Dataset& d) { d.kept[0].code[0] = 9; }), HasSubstr("not that of a level"));
  EXPECT_EQ(writer.rows(), 20U);
  Schema other = data.schema;
  other.sources[0].columns[1].levels.emplace_back("violet");
  EXPECT_THROW(writer.finish(other), InputError);
  writer.finish(data.schema);
  EXPECT_EQ(open_stream(folder / "x.stream")->rows(), 20U);
}

}  // namespace
}  // namespace medley
