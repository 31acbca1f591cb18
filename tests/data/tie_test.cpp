// SPDX-License-Identifier: Apache-2.0
#include "data/tie.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <stdexcept>

#include "data/encode.hpp"
#include "data/infer.hpp"
#include "data/samples.hpp"

namespace medley::data {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using namespace medley::testing;

const FamilyCatalogue kTieFamilies = small_catalogue();

// Row 1 has one copy of L, row 2 none.
RawSource wide() {
  return table("d", {"L_1", "sex", "L_2"},
               {{"b", "f", "a"}, {"", "m", "c"}, {"", "f", ""}, {"c", "m", "c"}, {"a", "f", "b"}});
}

ReadOptions tying(std::vector<Tie> ties) {
  ReadOptions options;
  options.ties = std::move(ties);
  return options;
}

Dataset tied(RawSource source, const ReadOptions& options) {
  std::vector<RawSource> sources = {std::move(source)};
  tie_columns(sources, options);
  return encode(sources, infer(sources, options, kTieFamilies).schema, options, kTieFamilies);
}

std::string refusal_of(RawSource source, const ReadOptions& options) {
  return complaint([&] { (void)tied(std::move(source), options); });
}

const Block& block_of(const Dataset& data, const std::string& family) {
  for (const Block& block : data.blocks) {
    if (block.family == family) return block;
  }
  throw std::out_of_range(family);
}

TEST(Tie, ColumnsBecomeOneFeatureWithACellForEachCopy) {
  const Dataset data = tied(wide(), tying({{"L", {"L_1", "L_2"}}}));
  const Block& block = block_of(data, "categorical");
  ASSERT_EQ(block.features.size(), 1U);
  EXPECT_EQ(block.features[0].name, "L");
  EXPECT_THAT(block.features[0].levels, ElementsAre("a", "b", "c"));
  EXPECT_THAT(block.row_start, ElementsAre(0U, 2U, 3U, 3U, 5U, 7U));
  EXPECT_THAT(block.slot, ElementsAre(0U, 1U, 2U, 2U, 2U, 0U, 1U));
  EXPECT_EQ(block.missing, 3U);
  EXPECT_THAT(data.schema.find("L")->tied, ElementsAre("L_1", "L_2"));
  EXPECT_EQ(data.schema.find("L_1"), nullptr);
}

TEST(Tie, AStarTiesAllColumnsNamedAlike) {
  const RawSource source =
      table("d", {"A_1", "A_2", "B_1", "B_2", "C_1"},
            {{"x", "y", "p", "q", "u"}, {"y", "y", "q", "q", "v"}, {"x", "x", "p", "r", "w"}});
  const Dataset data = tied(source, tying({{"*", {"*_1", "*_2"}}}));
  EXPECT_THAT(data.schema.find("A")->tied, ElementsAre("A_1", "A_2"));
  EXPECT_THAT(data.schema.find("B")->levels, ElementsAre("p", "q", "r"));
  EXPECT_THAT(data.schema.find("C_1")->tied, IsEmpty());  // there is no C_2
}

TEST(Tie, NumbersAreReplicatesInTheOrderOfTheColumns) {
  ReadOptions options = tying({{"p", {"p1", "p2"}}});
  options.family = {{"p", "gaussian"}};
  const Dataset data = tied(table("d", {"p1", "p2"}, {{"9", "2"}, {"", "4"}, {"1", "3"}}), options);
  EXPECT_THAT(data.blocks[0].value, ElementsAre(9.0, 2.0, 4.0, 1.0, 3.0));
  EXPECT_THAT(data.blocks[0].slot, ElementsAre(0U, 0U, 0U, 0U, 0U));
  EXPECT_THAT(refusal_of(table("d", {"p1", "p2"}, {{"9", "2"}, {"3", "x"}}), options),
              AllOf(HasSubstr("d.csv:3: column \"p2\""), HasSubstr("\"x\"")));
}

TEST(Tie, WholeNumbersAreNamesAndStrangeOnesStillPointedOut) {
  FamilyCatalogue families = kTieFamilies;  // numbers are quantities, here as in the program
  families.choose = [](const ColumnFacts& facts) -> FamilyChoice {
    if (facts.numeric) return {"gaussian", Encoding::real, "numbers"};
    return kTieFamilies.choose(facts);
  };
  Rows rows;
  for (int i = 0; i < 60; ++i)
    rows.push_back({std::to_string(180 + 2 * (i % 12)), i % 6 == 0 ? "-9" : "190"});
  std::vector<RawSource> sources = {table("d", {"L_1", "L_2"}, rows)};
  const ReadOptions options = tying({{"L", {"L_1", "L_2"}}});
  tie_columns(sources, options);
  const Inferred inferred = infer(sources, options, families);
  const ColumnSpec& column = *inferred.schema.find("L");
  EXPECT_EQ(column.family, "categorical");
  EXPECT_THAT(column.note, HasSubstr("whole numbers are taken as names"));
  EXPECT_THAT(inferred.warnings, ElementsAre(HasSubstr("-9")));
}

TEST(Tie, ASchemaTiesTheNextFile) {
  const Schema schema = tied(wide(), tying({{"L", {"L_1", "L_2"}}})).schema;
  RawSource next = table("d", {"L_2", "sex"}, {{"c", "m"}, {"z", "f"}});  // no L_1
  tie_columns(next, schema.sources[0]);
  ReadOptions options;
  options.schema = schema;
  const Dataset data = encode({next}, schema, options, kTieFamilies);
  EXPECT_THAT(block_of(data, "categorical").slot, ElementsAre(2U));
  EXPECT_EQ(block_of(data, "categorical").unseen, 1U);
  RawSource clash = table("d", {"L", "L_1", "L_2"}, {{"a", "a", "a"}});
  EXPECT_THAT(complaint([&] { tie_columns(clash, schema.sources[0]); }),
              HasSubstr("has a column \"L\" beside"));
}

TEST(Tie, GoesThroughASchemaFileAndBack) {
  Schema schema = tied(wide(), tying({{"L", {"L_1", "L_2"}}})).schema;
  for (ColumnSpec& column : schema.sources[0].columns)
    column.note.clear();  // comments are not read
  const std::string text = to_toml(schema);
  EXPECT_THAT(text, HasSubstr("tied = [\"L_1\", \"L_2\"]"));
  EXPECT_EQ(to_toml(schema_from_toml(text, "s.toml")), text);
  std::string twice = text;
  const std::string sex = "name = \"sex\"\n";
  twice.replace(twice.find(sex), sex.size(), sex + "tied = [\"L_2\", \"M\"]\n");
  EXPECT_THAT(complaint([&] { (void)schema_from_toml(twice, "s.toml"); }),
              HasSubstr("column \"L_2\" is tied twice"));
}

TEST(Tie, WrongOnesAreRefused) {
  EXPECT_THAT(refusal_of(wide(), tying({{"L", {"L_1", "L_3"}}})),
              AllOf(HasSubstr("`tie=\"L=L_1,L_3\"`"), HasSubstr("no column \"L_3\"")));
  EXPECT_THAT(refusal_of(wide(), tying({{"L", {"L_1", "L_2"}}, {"M", {"L_2", "sex"}}})),
              HasSubstr("column \"L_2\" is tied twice, to \"L\" and to \"M\""));
  EXPECT_THAT(refusal_of(wide(), tying({{"L", {"L_1", "L_1"}}})), HasSubstr("tied twice"));
  EXPECT_THAT(refusal_of(wide(), tying({{"sex", {"L_1", "L_2"}}})),
              HasSubstr("there is a column \"sex\" already"));
  EXPECT_THAT(refusal_of(wide(), tying({{"*", {"*.1", "*.2"}}})),
              HasSubstr("no columns have names of this form"));
  ReadOptions families = tying({{"L", {"L_1", "L_2"}}});
  families.family = {{"L_1", "categorical"}, {"L_2", "gaussian"}};
  EXPECT_THAT(
      refusal_of(wide(), families),
      AllOf(HasSubstr("`column=\"L_1\"`"), HasSubstr("`column=\"L_2\"`"),
            HasSubstr("all tied columns have one family"), HasSubstr("`column=\"L=FAMILY\"`")));
  families.family = {{"L", "tags"}};
  EXPECT_THAT(refusal_of(wide(), families), HasSubstr("not taken apart"));
  ReadOptions label = tying({{"L", {"L_1", "L_2"}}});
  label.label = "L";
  EXPECT_THAT(refusal_of(wide(), label), HasSubstr("one value in a row"));
}

}  // namespace
}  // namespace medley::data
