// SPDX-License-Identifier: Apache-2.0
// Data from memory against the same data from files, and everything that can be wrong with them.
#include "medley/io.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include "core/temporary_folder.hpp"
#include "data/same_data.hpp"
#include "medley/error.hpp"
#include "support/memory_tables.hpp"

namespace medley {
namespace {

using test::list_column;
using test::one_source;
using test::text_column;
using ::testing::AllOf;
using ::testing::ElementsAre;
using testing::expect_same_data;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::put_content;
using testing::TemporaryFolder;

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

// Every problem, one to a line; empty if there was none.
template <class Source>
std::string refusal(const Source& content, const ReadOptions& options = {}) {
  try {
    (void)dataset(one_source(content), options);
  } catch (const InputError& error) {
    std::string out;
    for (const Problem& problem : error.problems()) out += problem.text() + '\n';
    return out;
  }
  return {};
}

MemoryTable table_of(MemoryColumn column, std::size_t rows) {
  MemoryTable out;
  out.rows = rows;
  out.columns.push_back(std::move(column));
  return out;
}

Dataset from_file(const std::string& name, const std::string& content, const ReadOptions& options) {
  const TemporaryFolder folder;
  put_content(folder / name, content);
  return read({{"", folder / name}}, options);
}

TEST(Memory, ATableOfEveryKindIsReadAsFromAFile) {
  const test::MixedTable mixed = test::mixed_table(60);
  const Dataset file = from_file("mixed.jsonl", mixed.json, test::mixed_options());
  const Dataset memory = dataset(one_source(mixed.table), test::mixed_options());
  ASSERT_EQ(file.blocks.size(), 4U);  // colour; height and visits; comment; tags
  expect_same_data(file, memory);
  EXPECT_EQ(to_toml(file.schema), to_toml(memory.schema));
  EXPECT_EQ(file.warnings.size(), memory.warnings.size());
}

TEST(Memory, TripletsAreReadAsFromAFile) {
  const test::Ratings ratings = test::ratings(40);
  ReadOptions options;
  options.format = Format::triplets;
  const Dataset file = from_file("ratings.csv", ratings.csv, options);
  const Dataset memory = dataset(one_source(ratings.triplets));
  expect_same_data(file, memory);
  EXPECT_EQ(to_toml(file.schema), to_toml(memory.schema));
}

TEST(Memory, CountsAreReadAsFromAFile) {
  const test::Corpus corpus = test::word_counts(30, 20);
  const TemporaryFolder folder;
  put_content(folder / "data.ldac", corpus.ldac);
  put_content(folder / "data_vocab.txt", corpus.words);
  const Dataset file = read({{"", folder / "data.ldac"}}, {});
  const Dataset memory = dataset(one_source(corpus.counts));
  expect_same_data(file, memory);
  EXPECT_EQ(to_toml(file.schema), to_toml(memory.schema));
}

TEST(Memory, RepeatedWordsAreAddedUpInAnyOrderAndZerosLeftOut) {
  const MemoryCounts counts{{0, 4, 5}, {2, 0, 2, 1, 1}, {1, 3, 2, 0, 5}, {"a", "b", "c"}};
  const Dataset data = dataset(one_source(counts));
  const Block& block = data.blocks.front();
  EXPECT_THAT(block.row_start, ElementsAre(0, 2, 3));
  EXPECT_THAT(block.slot, ElementsAre(0, 2, 1));
  EXPECT_THAT(block.weight, ElementsAre(3, 3, 5));
}

TEST(Memory, WordsWithoutNamesHaveNumbersAndASchemaNamesThem) {
  MemoryCounts counts{{0, 2, 3}, {0, 2, 2}, {1, 1, 1}, {}};
  EXPECT_THAT(dataset(one_source(counts)).blocks.front().features.front().levels,
              ElementsAre("0", "1", "2"));
  ReadOptions options;
  options.schema =
      dataset(one_source(MemoryCounts{{0, 2, 3}, {0, 1, 2}, {1, 1, 1}, {"a", "b", "c"}})).schema;
  EXPECT_THAT(dataset(one_source(counts), options).blocks.front().slot, ElementsAre(0, 2, 2));
}

TEST(Memory, LevelsAreSortedUnlessTheirOrderIsGiven) {
  const auto levels = [](bool ordered, bool fixed) {
    const TextColumn size{
        {"small", "none at all", "large", "huge"}, {2, 0, 1, 0, 2, 1, kAbsent, 0}, ordered, fixed};
    const Dataset data = dataset(one_source(table_of({"size", size}, 8)));
    return data.blocks.front().features.front().levels;
  };
  EXPECT_THAT(levels(false, false), ElementsAre("large", "none at all", "small"));
  EXPECT_THAT(levels(true, false), ElementsAre("small", "none at all", "large"));
  EXPECT_THAT(levels(false, true), ElementsAre("small", "none at all", "large", "huge"));
  EXPECT_THAT(levels(true, true), ElementsAre("small", "none at all", "large", "huge"));
}

TEST(Memory, CellsKeepTheirLevelsInAnyOrder) {
  const TextColumn size{{"small", "middle", "large"}, {2, 0, 1, kAbsent, 0, 1}, true, true};
  const Block block = dataset(one_source(table_of({"size", size}, 6))).blocks.front();
  EXPECT_THAT(block.slot, ElementsAre(2, 0, 1, 0, 1));
  EXPECT_THAT(block.row_start, ElementsAre(0, 1, 2, 3, 3, 4, 5));
}

TEST(Memory, NumbersThatAreCategoriesAreNoQuantities) {
  std::vector<std::uint32_t> code;
  for (std::uint32_t i = 0; i < 40; ++i) code.push_back(i % 3);
  const TextColumn year{{"2020", "2010", "2000"}, code, false, true};
  const Block block = dataset(one_source(table_of({"year", year}, 40))).blocks.front();
  EXPECT_EQ(block.family, "categorical");
  EXPECT_THAT(block.features.front().levels, ElementsAre("2020", "2010", "2000"));
}

TEST(Memory, TheOrderOfLevelsReachesLabelAndKeptColumnsAndTriplets) {
  MemoryTable table;
  table.rows = 4;
  table.columns = {{"x", text_column({"a", "b", "a", "b"})},
                   {"kind", TextColumn{{"two", "one", "none"}, {0, 1, 1, 0}, false, true}},
                   {"group", TextColumn{{"z", "y"}, {0, 1, 1, 0}, true, false}}};
  ReadOptions options;
  options.label = "kind";
  options.keep = {"group"};
  const Dataset data = dataset(one_source(table), options);
  EXPECT_THAT(data.label()->levels, ElementsAre("two", "one", "none"));
  EXPECT_THAT(data.label()->code, ElementsAre(0, 1, 1, 0));
  EXPECT_THAT(data.kept_column("group")->levels, ElementsAre("z", "y"));
  const MemoryTriplets log{text_column({"u", "u", "v", "v"}), text_column({"i", "j", "i", "j"}),
                           TextColumn{{"low", "high", "best"}, {1, 0, 0, 1}, true, true}};
  EXPECT_THAT(dataset(one_source(log)).blocks.front().features.back().levels,
              ElementsAre("low", "high", "best"));
}

TEST(Memory, ALevelThatMeansMissingIsTold) {
  const TextColumn answer{{"NA", "yes", "no"}, {0, 1, 2, 1, 2, 2}, false, true};
  const Dataset data = dataset(one_source(table_of({"answer", answer}, 6)));
  EXPECT_THAT(data.blocks.front().features.front().levels, ElementsAre("yes", "no"));
  EXPECT_EQ(data.blocks.front().cells(), 5U);
  ASSERT_EQ(data.warnings.size(), 1U);
  EXPECT_THAT(data.warnings.front(), HasSubstr("\"NA\" is taken as missing"));
}

TEST(Memory, NumbersHaveTheShortestTextWhereTextIsWanted) {
  MemoryTable table;
  table.rows = 6;
  table.columns = {{"x", NumberColumn{{0.1, 100000, -0.0, 1e-7, 5, kNaN}}},
                   {"y", text_column({"a", "b", "a", "b", "a", "b"})}};
  ReadOptions options;
  options.keep = {"x"};
  const Dataset data = dataset(one_source(table), options);
  EXPECT_THAT(data.kept_column("x")->levels, ElementsAre("0", "0.1", "100000", "1e-07", "5"));
  EXPECT_THAT(data.kept_column("x")->code, ElementsAre(1, 2, 0, 3, 4, kMissingClass));
}

TEST(Memory, NumbersKeepEveryBit) {
  std::vector<double> value;
  for (std::size_t i = 0; i < 200; ++i) {
    core::Rng rng(3, 4, i);
    value.push_back(std::ldexp(rng.uniform() - 0.5, static_cast<int>(rng.below(40)) - 20));
  }
  const Block block = dataset(one_source(table_of({"x", NumberColumn{value}}, 200))).blocks.front();
  EXPECT_EQ(block.family, "gaussian");
  EXPECT_EQ(block.value, value);
}

TEST(Memory, PointsAreDecimalPointsWhateverTheOtherColumnsHold) {
  MemoryTable table;
  table.rows = 4;
  table.columns = {{"x", NumberColumn{{1.538, 2.125, 0.5, 3.25}}},
                   {"y", text_column({"1,5", "2,25", "0,5", "3,75"})}};
  const Dataset data = dataset(one_source(table));
  EXPECT_THAT(data.blocks.front().value,
              ElementsAre(1.538, 1.5, 2.125, 2.25, 0.5, 0.5, 3.25, 3.75));
}

TEST(Memory, MissingTextsAreMissing) {
  MemoryTable table;
  table.rows = 5;
  table.columns = {{"x", TextColumn{{"a", " b ", "NaN", "", "b"}, {0, 1, 2, 3, 4}}}};
  const Block block = dataset(one_source(table)).blocks.front();
  EXPECT_THAT(block.features.front().levels, ElementsAre("a", "b"));
  EXPECT_THAT(block.slot, ElementsAre(0, 1, 1));
  EXPECT_EQ(block.missing, 2U);
}

TEST(Memory, ListsMayBeMissingOrEmpty) {
  ListColumn media = list_column({{"tv", "radio"}, {}, {"tv"}, {}, {"press"}});
  media.missing = {0, 0, 0, 1, 0};
  ReadOptions options;
  options.family["media"] = "set";
  const Dataset data = dataset(one_source(table_of({"media", media}, 5)), options);
  const Block& block = data.blocks.front();
  EXPECT_EQ(block.features.size(), 3U);
  EXPECT_THAT(block.row_start, ElementsAre(0, 3, 6, 9, 9, 12));
}

TEST(Memory, DocumentsAreATableOfText) {
  std::vector<std::string> cells = {"the cat sat", "the dog sat", "a cat and a dog", "", "dog"};
  ReadOptions options;
  options.family["text"] = "text";
  options.words.min_count = 1;
  options.words.max_share = 1.0;
  options.words.recognise_language = false;
  const Dataset data = dataset(one_source(table_of({"text", text_column(cells)}, 5)), options);
  EXPECT_THAT(data.blocks.front().features.front().levels,
              ElementsAre("a", "and", "cat", "dog", "sat", "the"));
  EXPECT_EQ(data.blocks.front().missing, 1U);
}

TEST(Memory, RowsHaveTheIdsOfTheOptions) {
  ReadOptions options;
  options.row_ids = {"d1", "d2"};
  const MemoryCounts counts{{0, 1, 2}, {0, 1}, {1, 1}, {"a", "b"}};
  EXPECT_THAT(dataset(one_source(counts), options).ids, ElementsAre("d1", "d2"));
  options.row_ids = {"d1"};
  EXPECT_THAT(refusal(counts, options), HasSubstr("row_ids: are 1, but data has 2 rows"));
  options.row_ids = {"d1", " "};
  EXPECT_THAT(refusal(counts, options), HasSubstr("row_ids: row 2: the id is missing"));
  options.row_ids = {"d1", "\xff"};
  EXPECT_THAT(refusal(counts, options), HasSubstr("not UTF-8"));
}

TEST(Memory, SourcesAreJoinedByRowIdsWhereAnotherHasIds) {
  std::vector<MemorySource> sources(2);
  sources[0] = {"people", MemoryTable{{{"x", text_column({"a", "b", "a"})}}, 3}};
  sources[1] = {"films",
                MemoryTriplets{text_column({"u3", "u1", "u3", "u1"}),
                               text_column({"i", "i", "j", "j"}), NumberColumn{{1, 2, 3, 4}}}};
  ReadOptions options;
  options.row_ids = {"u1", "u2", "u3"};
  const Dataset data = dataset(sources, options);
  EXPECT_THAT(data.ids, ElementsAre("u1", "u2", "u3"));
  EXPECT_THAT(data.blocks[1].row_start, ElementsAre(0, 2, 2, 4));
}

TEST(Memory, SourcesWithoutIdsAreJoinedRowByRow) {
  std::vector<MemorySource> sources(2);
  sources[0] = {"a", MemoryTable{{{"x", text_column({"a", "b", "a"})}}, 3}};
  sources[1] = {"b", MemoryTable{{{"x", text_column({"c", "c", "d"})}}, 3}};
  ReadOptions options;
  options.row_ids = {"r", "r", "s"};  // alike for both sources, so they may repeat
  const Dataset data = dataset(sources, options);
  EXPECT_EQ(data.blocks.size(), 2U);
  EXPECT_THAT(data.ids, ElementsAre("r", "r", "s"));
}

TEST(Memory, AGivenSchemaReadsOtherCodesOfTheSameTexts) {
  ReadOptions options;
  options.schema =
      dataset(one_source(table_of({"x", text_column({"a", "b", "c", "a"})}, 4))).schema;
  const TextColumn other{{"d", "c", "a"}, {1, 0, 2}};
  const Dataset data = dataset(one_source(table_of({"x", other}, 3)), options);
  EXPECT_THAT(data.blocks.front().slot, ElementsAre(2, 0));
  EXPECT_EQ(data.blocks.front().unseen, 1U);
}

TEST(Memory, EveryProblemOfATableIsListed) {
  MemoryTable table;
  table.rows = 3;
  table.columns = {{"short", TextColumn{{"a"}, {0, 0}}},
                   {"codes", TextColumn{{"a", "b"}, {0, 2, 1}}},
                   {"\xff", TextColumn{{"a", "b"}, {0, 1, 1}}},
                   {"bytes", TextColumn{{"a", "\xc3"}, {0, 1, 1}}},
                   {"nul", TextColumn{{"a", std::string("x\0y", 3)}, {0, 1, 1}}},
                   {"numbers", NumberColumn{{1, std::numeric_limits<double>::infinity(), 2}}},
                   {"few", NumberColumn{{1}}},
                   {" numbers", NumberColumn{{1, 2, 3}}},
                   {"", NumberColumn{{1, 2, 3}}}};
  EXPECT_THAT(
      refusal(table),
      AllOf(HasSubstr("data: column \"short\": code: has 2 entries for 3 rows"),
            HasSubstr("data: row 2: column \"codes\": code 2 of 2"),
            HasSubstr("the name \"\\xFF\" is not UTF-8"),
            HasSubstr("column \"bytes\": the value \"\\xC3\" is not UTF-8"),
            HasSubstr("column \"nul\": the value \"x\\x00y\" is not UTF-8"),
            HasSubstr("data: row 2: column \"numbers\": is infinite"),
            HasSubstr("column \"few\": value: has 1 entries for 3 rows"),
            HasSubstr("two columns are named \"numbers\""), HasSubstr("column 9: has no name")));
}

TEST(Memory, EveryProblemOfListsIsListed) {
  const auto with = [](auto change) {
    ListColumn lists = list_column({{"a", "b"}, {"a"}});
    change(lists);
    return refusal(table_of({"tags", lists}, 2));
  };
  EXPECT_THAT(with([](ListColumn&) {}), Not(HasSubstr("start")));
  EXPECT_THAT(with([](ListColumn& l) { l.start = {0, 2}; }), HasSubstr("start: has 2 entries"));
  EXPECT_THAT(with([](ListColumn& l) { l.start = {}; }), HasSubstr("start"));
  EXPECT_THAT(with([](ListColumn& l) { l.start = {0, 9, 3}; }), HasSubstr("must not fall"));
  EXPECT_THAT(with([](ListColumn& l) { l.start = {1, 2, 3}; }), HasSubstr("begin with 0"));
  EXPECT_THAT(with([](ListColumn& l) { l.start = {0, 2, 7}; }), HasSubstr("there are 3 entries"));
  EXPECT_THAT(with([](ListColumn& l) { l.code[2] = 5; }),
              HasSubstr("row 2: column \"tags\": code 5 of 2"));
  EXPECT_THAT(with([](ListColumn& l) { l.missing = {1}; }), HasSubstr("missing: has 1 entries"));
  EXPECT_THAT(with([](ListColumn& l) { l.distinct[0] = "a\x1F"; }), HasSubstr("U+001F"));
}

TEST(Memory, EveryProblemOfCountsIsListed) {
  const auto with = [](auto change) {
    MemoryCounts counts{{0, 2, 3}, {0, 1, 1}, {1, 2, 3}, {"a", "b"}};
    change(counts);
    return refusal(counts);
  };
  EXPECT_THAT(with([](MemoryCounts&) {}), IsEmpty());
  EXPECT_THAT(with([](MemoryCounts& c) { c.row_start.clear(); }), HasSubstr("row_start: is empty"));
  EXPECT_THAT(with([](MemoryCounts& c) { c.row_start = {0, 2, 9}; }), HasSubstr("ends with 9"));
  EXPECT_THAT(with([](MemoryCounts& c) { c.row_start = {0, 7, 3}; }), HasSubstr("not fall"));
  EXPECT_THAT(with([](MemoryCounts& c) { c.count.pop_back(); }),
              HasSubstr("2 entries for 3 words"));
  EXPECT_THAT(with([](MemoryCounts& c) { c.word[2] = 2; }), HasSubstr("row 2: word 2 of 2"));
  EXPECT_THAT(with([](MemoryCounts& c) { c.count[0] = -1; }), HasSubstr("is negative"));
  EXPECT_THAT(with([](MemoryCounts& c) { c.count[0] = NAN; }), HasSubstr("is not a number"));
  EXPECT_THAT(with([](MemoryCounts& c) { c.count[0] = 1e10F; }), HasSubstr("too large"));
  EXPECT_THAT(with([](MemoryCounts& c) { c.count[0] = 1e-42F; }), HasSubstr("too small"));
  EXPECT_THAT(with([](MemoryCounts& c) { c.vocabulary[1] = "a"; }), HasSubstr("occurs twice"));
  EXPECT_THAT(with([](MemoryCounts& c) { c.vocabulary[1] = " "; }), HasSubstr("a word is empty"));
  EXPECT_THAT(with([](MemoryCounts& c) {
                c.vocabulary.clear();
                c.word[0] = 4000000000;
              }),
              HasSubstr("word 4000000000"));
}

TEST(Memory, EveryProblemOfTripletsIsListed) {
  const auto with = [](auto change) {
    MemoryTriplets log{text_column({"u", "u", "v"}), text_column({"i", "j", "i"}),
                       NumberColumn{{1, 2, 3}}};
    change(log);
    return refusal(log);
  };
  EXPECT_THAT(with([](MemoryTriplets&) {}), IsEmpty());
  EXPECT_THAT(with([](MemoryTriplets& t) { t.row.code[1] = kAbsent; }),
              HasSubstr("triplet 2: row: is empty"));
  EXPECT_THAT(with([](MemoryTriplets& t) { t.item.distinct[0] = " "; }),
              HasSubstr("triplet 1: item: is empty"));
  EXPECT_THAT(with([](MemoryTriplets& t) { t.item.code.pop_back(); }),
              HasSubstr("item: code: has 2 entries"));
  EXPECT_THAT(with([](MemoryTriplets& t) { t.value = NumberColumn{{1}}; }),
              HasSubstr("value: value: has 1 entries"));
  EXPECT_THAT(with([](MemoryTriplets& t) { t.item.code[2] = 1, t.row.code[2] = 0; }),
              HasSubstr("data: triplet 3: row \"u\", item \"j\" occurs 2 times, at 2, 3"));
}

TEST(Memory, SourcesAndOptionsAreChecked) {
  const auto refused = [](std::vector<MemorySource> sources, const ReadOptions& options = {}) {
    try {
      (void)dataset(std::move(sources), options);
    } catch (const InputError& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  const MemoryTable table = table_of({"x", text_column({"a", "b"})}, 2);
  EXPECT_THAT(refused({}), HasSubstr("no data are given"));
  EXPECT_THAT(refused({{"a", table}, {"", table}}), HasSubstr("has no name"));
  EXPECT_THAT(refused({{"a", table}, {"a", table}}), HasSubstr("the name is taken"));
  EXPECT_THAT(refused({{"", MemoryTable{}}}),
              AllOf(HasSubstr("has no columns"), HasSubstr("has no rows")));
  ReadOptions options;
  options.format = Format::csv;
  EXPECT_THAT(refused({{"", table}}, options), HasSubstr("format: is an option for files"));
}

}  // namespace
}  // namespace medley
