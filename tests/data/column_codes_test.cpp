// SPDX-License-Identifier: Apache-2.0
// What is known of the codes of one column: which mean "missing", and what the others mean.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

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

const FamilyCatalogue kCatalogue = small_catalogue();

RawColumn& column_of(RawSource& source, std::size_t column) {
  return std::get<RawTable>(source.content).columns[column];
}

// Two questions; the file says what region's codes mean, and that 9 is no answer there.
RawSource labelled() {
  RawSource source =
      table("d", {"region", "q"}, {{"2", "9"}, {"1", "8"}, {"9", "9"}, {"3", "8"}, {"1", "9"}});
  column_of(source, 0).missing_codes = {"9"};
  column_of(source, 0).value_labels = {{"1", "North"}, {"2", "South"}, {"9", "refused"}};
  return source;
}

TEST(ColumnCodes, ThatTheFileDeclaresMissingAreMissingInThatColumnAlone) {
  const Schema schema = infer({labelled()}, {}, kCatalogue).schema;
  EXPECT_THAT(schema.find("region")->missing, ElementsAre("9"));
  EXPECT_THAT(schema.find("region")->levels, ElementsAre("1", "2", "3"));
  EXPECT_THAT(schema.find("q")->missing, IsEmpty());
  EXPECT_THAT(schema.find("q")->levels, ElementsAre("8", "9"));
  const Dataset data = encode({labelled()}, schema, {}, kCatalogue);
  EXPECT_EQ(decoded(data.blocks[0], 2, "region"), "");
  EXPECT_EQ(data.blocks[0].missing, 1U);
  EXPECT_EQ(decoded(data.blocks[1], 2, "q"), "9");
}

TEST(ColumnCodes, OfASchemaMeanMissingForEveryEncoding) {
  const auto source = table("d", {"age", "class"}, {{"30", "a"}, {"99", "b"}, {"40", "z"}});
  ReadOptions options;
  options.family = {{"age", "gaussian"}};
  options.label = "class";
  Schema schema = infer({source}, options, kCatalogue).schema;
  schema.sources[0].columns[0].missing = {"99"};
  schema.sources[0].columns[1].missing = {"z"};
  const Dataset data = encode({source}, schema, {}, kCatalogue);
  EXPECT_THAT(data.blocks[0].value, ElementsAre(30, 40));
  EXPECT_THAT(data.kept_column("class")->code, ElementsAre(0, 1, -1));
  const auto log = triplets("r", {{"u", "m", "5"}, {"u", "n", "99"}, {"v", "m", "3"}});
  schema = infer({log}, {}, kCatalogue).schema;
  schema.sources[0].columns[0].missing = {"99"};
  EXPECT_EQ(encode({log}, schema, {}, kCatalogue).blocks[0].missing, 1U);
}

TEST(ColumnCodes, KeptColumnsHaveTheirMissingCodesToo) {
  RawSource source = labelled();
  ReadOptions options;
  options.keep = {"region"};
  const Schema schema = infer({source}, options, kCatalogue).schema;
  const Dataset data = encode({source}, schema, options, kCatalogue);
  EXPECT_THAT(data.kept_column("region")->levels, ElementsAre("1", "2", "3"));
  EXPECT_THAT(data.kept_column("region")->code, ElementsAre(1, 0, -1, 2, 0));
}

TEST(ColumnCodes, LabelsFollowTheLevelsIntoTheFeatures) {
  const Schema schema = infer({labelled()}, {}, kCatalogue).schema;
  EXPECT_THAT(schema.find("region")->labels, ElementsAre("North", "South", "3"));
  EXPECT_THAT(schema.find("q")->labels, IsEmpty());
  const Dataset data = encode({labelled()}, schema, {}, kCatalogue);
  EXPECT_THAT(data.blocks[0].features[0].levels, ElementsAre("1", "2", "3"));
  EXPECT_THAT(data.blocks[0].features[0].labels, ElementsAre("North", "South", "3"));
}

TEST(ColumnCodes, AMissingLevelHasALabelToo) {
  ReadOptions options;
  options.missing_as_category = true;
  const Schema schema = infer({labelled()}, options, kCatalogue).schema;
  EXPECT_THAT(schema.find("region")->labels, ElementsAre("North", "South", "3", "(missing)"));
  Schema given = infer({labelled()}, {}, kCatalogue).schema;
  given.missing_as_category = true;
  given.sources[0].columns.pop_back();  // yes/no, and a third level is one too many for that
  const Dataset data = encode({labelled()}, given, {}, kCatalogue);
  EXPECT_THAT(data.blocks[0].features[0].labels, ElementsAre("North", "South", "3", "(missing)"));
}

TEST(ColumnCodes, TheOrderOfTheSchemaIsTheOrderOfTheLevels) {
  const auto source = table("d", {"a"}, {{"low"}, {"high"}, {"mid"}, {"low"}});
  Schema schema = infer({source}, {}, kCatalogue).schema;
  schema.sources[0].columns[0].levels = {"low", "mid", "high"};
  const Dataset data = encode({source}, schema, {}, kCatalogue);
  EXPECT_THAT(data.blocks[0].features[0].levels, ElementsAre("low", "mid", "high"));
  EXPECT_THAT(data.blocks[0].slot, ElementsAre(0U, 2U, 1U, 0U));
}

TEST(ColumnCodes, NumbersThatAllHaveAMeaningAreNotTakenForQuantities) {
  FamilyCatalogue catalogue = small_catalogue();
  catalogue.choose = [](const ColumnFacts& facts) -> FamilyChoice {
    if (facts.numeric) return {"gaussian", Encoding::real, "numbers"};
    return {"categorical", Encoding::levels, "levels"};
  };
  RawSource source = table("d", {"a"}, {{"1"}, {"2"}, {"3"}, {"2"}});
  EXPECT_EQ(infer({source}, {}, catalogue).schema.find("a")->family, "gaussian");
  column_of(source, 0).value_labels = {{"1", "yes"}, {"2", "no"}, {"3", "perhaps"}};
  EXPECT_EQ(infer({source}, {}, catalogue).schema.find("a")->family, "categorical");
  ReadOptions options;
  options.family = {{"a", "gaussian"}};
  EXPECT_EQ(infer({source}, options, catalogue).schema.find("a")->family, "gaussian");
}

TEST(ColumnCodes, SuspectedOnesAreProposedNeverApplied) {
  Rows rows;
  for (int i = 0; i < 60; ++i) rows.push_back({std::to_string(i < 41 ? 1 + i % 5 : 99)});
  const Inferred inferred = infer({table("d", {"q"}, rows)}, {}, kCatalogue);
  const std::string words =
      "99 occurs 19 times, past the answers 1 to 5: a code for missing? Put missing = [\"99\"] "
      "into the schema";
  EXPECT_EQ(inferred.schema.find("q")->note, "6 levels; " + words);
  EXPECT_THAT(inferred.warnings, ElementsAre("d.csv: column \"q\": " + words));
  EXPECT_THAT(inferred.schema.find("q")->missing, IsEmpty());
  EXPECT_THAT(inferred.schema.find("q")->levels, ElementsAre("1", "2", "3", "4", "5", "99"));
}

}  // namespace
}  // namespace medley::data
