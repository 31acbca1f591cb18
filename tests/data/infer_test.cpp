// SPDX-License-Identifier: Apache-2.0
#include "data/infer.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "data/samples.hpp"

namespace medley::data {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using namespace medley::testing;

const FamilyCatalogue kCatalogue = small_catalogue();

RawSource survey() {
  return table("data", {"who", "sex", "region", "age", "same", "gone", "w"},
               {{"p1", "m", "north", "31", "x", "", "1"},
                {"p2", "f", "south", "44", "x", "", "2"},
                {"p3", "", "east", "57,5", "x", "", "1.5"},
                {"p4", "m", "Zoo", "", "x", "", "1"}});
}

std::string refusal(const std::vector<RawSource>& sources, const ReadOptions& options) {
  return complaint([&] { (void)infer(sources, options, kCatalogue); });
}

TEST(Infer, LevelsAreInBytewiseOrderAndMissingCellsAreNone) {
  const Schema schema = infer({survey()}, {}, kCatalogue).schema;
  EXPECT_THAT(schema.find("sex")->levels, ElementsAre("f", "m"));
  EXPECT_EQ(schema.find("sex")->family, "bernoulli");
  EXPECT_EQ(schema.find("sex")->note, "2 levels");
  EXPECT_THAT(schema.find("region")->levels, ElementsAre("Zoo", "east", "north", "south"));
  EXPECT_EQ(schema.find("region")->family, "categorical");
  EXPECT_EQ(schema.find("none"), nullptr);
}

TEST(Infer, LevelsAreTheTextAsWritten) {
  const auto source = table("data", {"x"}, {{"3.0"}, {"3"}, {"03"}});
  EXPECT_THAT(infer({source}, {}, kCatalogue).schema.find("x")->levels,
              ElementsAre("03", "3", "3.0"));
}

TEST(Infer, BytesAboveAsciiSortAfterIt) {
  const auto source = table("data", {"x"}, {{"\xc3\xa9"}, {"z"}, {"Z"}});
  EXPECT_THAT(infer({source}, {}, kCatalogue).schema.find("x")->levels,
              ElementsAre("Z", "z", "\xc3\xa9"));
}

TEST(Infer, ConstantAndEmptyColumnsAreDroppedWithAWarning) {
  const Inferred inferred = infer({survey()}, {}, kCatalogue);
  EXPECT_EQ(inferred.schema.find("same")->role, Role::ignored);
  EXPECT_EQ(inferred.schema.find("gone")->role, Role::ignored);
  EXPECT_THAT(inferred.schema.find("gone")->note, HasSubstr("every cell is missing"));
  EXPECT_THAT(inferred.warnings, ElementsAre(AllOf(HasSubstr("data.csv"), HasSubstr("\"same\""),
                                                   HasSubstr("one value, \"x\"")),
                                             AllOf(HasSubstr("\"gone\""), HasSubstr("missing"))));
}

TEST(Infer, AColumnNoFamilySuitsIsLeftOut) {
  Rows rows;
  for (int i = 0; i < 120; ++i) {
    rows.push_back({std::to_string(i % 60) + "x", i % 2 == 0 ? "a" : "b"});
  }
  const Inferred inferred = infer({table("data", {"text", "ab"}, rows)}, {}, kCatalogue);
  EXPECT_EQ(inferred.schema.find("text")->role, Role::ignored);
  EXPECT_THAT(inferred.warnings, ElementsAre(HasSubstr("text with many values")));
}

TEST(Infer, OptionsGiveRoles) {
  ReadOptions options;
  options.id = "who";
  options.label = "sex";
  options.weight = "w";
  options.ignore = {"same", "gone"};
  options.keep = {"region", "sex"};
  const Inferred inferred = infer({survey()}, options, kCatalogue);
  const Schema& schema = inferred.schema;
  EXPECT_EQ(schema.find("who")->role, Role::id);
  EXPECT_EQ(schema.find("sex")->role, Role::label);
  EXPECT_THAT(schema.find("sex")->levels, ElementsAre("f", "m"));
  EXPECT_EQ(schema.find("sex")->family, "");
  EXPECT_EQ(schema.find("w")->role, Role::weight);
  EXPECT_EQ(schema.find("region")->role, Role::ignored);
  EXPECT_EQ(schema.find("age")->role, Role::feature);
  EXPECT_THAT(inferred.warnings, IsEmpty());
}

TEST(Infer, EveryUnknownColumnIsToldWithTheOnesThatExist) {
  ReadOptions options;
  options.id = "whoo";
  options.label = "class";
  options.weight = "weight";
  options.ignore = {"regoin"};
  options.keep = {"k"};
  options.family = {{"aeg", "gaussian"}};
  const std::string error = refusal({survey()}, options);
  EXPECT_THAT(error, AllOf(HasSubstr("`id`: there is no column \"whoo\""),
                           HasSubstr("did you mean \"who\"?")));
  EXPECT_THAT(error, HasSubstr("`label`: there is no column \"class\""));
  EXPECT_THAT(error, HasSubstr("`weight`: there is no column \"weight\""));
  EXPECT_THAT(error, AllOf(HasSubstr("`ignore`"), HasSubstr("did you mean \"region\"?")));
  EXPECT_THAT(error, HasSubstr("`keep`: there is no column \"k\""));
  EXPECT_THAT(error, AllOf(HasSubstr("`column`"), HasSubstr("\"aeg\"")));
  EXPECT_THAT(error, HasSubstr("the columns are: \"who\", \"sex\", \"region\", \"age\""));
}

TEST(Infer, AColumnCannotPlayTwoRoles) {
  ReadOptions options;
  options.id = options.label = "who";
  EXPECT_THAT(refusal({survey()}, options),
              AllOf(HasSubstr("\"who\""), HasSubstr("both id and label")));
  options = {};
  options.ignore = {"sex"};
  options.family = {{"sex", "bernoulli"}};
  EXPECT_THAT(refusal({survey()}, options), HasSubstr("only a feature has a family"));
}

TEST(Infer, FamiliesCanBeAskedFor) {
  ReadOptions options;
  options.family = {{"age", "gaussian"}, {"sex", "categorical"}};
  const Schema schema = infer({survey()}, options, kCatalogue).schema;
  EXPECT_EQ(schema.find("age")->family, "gaussian");
  EXPECT_EQ(schema.find("age")->encoding, Encoding::real);
  EXPECT_THAT(schema.find("age")->levels, IsEmpty());
  EXPECT_EQ(schema.find("sex")->family, "categorical");
}

TEST(Infer, AFamilyThatCannotHoldTheColumnIsRefusedInWords) {
  ReadOptions options;
  options.family = {{"region", "bernoulli"}, {"sex", "bernouli"}};
  const std::string error = refusal({survey()}, options);
  EXPECT_THAT(error, AllOf(HasSubstr("`column=\"region=bernoulli\"`"),
                           HasSubstr("has 4 levels, bernoulli takes 2")));
  EXPECT_THAT(error, AllOf(HasSubstr("unknown family \"bernouli\""),
                           HasSubstr("did you mean \"bernoulli\"?"),
                           HasSubstr("the families are: \"bernoulli\", \"categorical\"")));
}

TEST(Infer, TextInANumberColumnIsToldByLineWithTheRemedy) {
  ReadOptions options;
  options.family = {{"age", "gaussian"}};
  const auto source =
      table("survey", {"age", "b"}, {{"31", "x"}, {"abc", "y"}, {"", "x"}, {"12 y", "y"}});
  EXPECT_EQ(refusal({source}, options),
            "survey.csv:3: column \"age\": \"abc\" is not a number (the column is gaussian; use "
            "`column=\"age=categorical\"`, or `na=\"abc\"`)\n"
            "survey.csv:5: column \"age\": \"12 y\" is not a number (the column is gaussian; use "
            "`column=\"age=categorical\"`, or `na=\"12 y\"`)");
  options.na = {"abc", "12 y"};
  const Inferred inferred =
      infer({table("d", {"age"}, {{"31"}, {"abc"}, {"4"}, {"12 y"}})}, options, kCatalogue);
  EXPECT_EQ(inferred.schema.find("age")->encoding, Encoding::real);
  EXPECT_EQ(inferred.schema.na, options.na);
}

TEST(Infer, MoreMissingStringsAreNoLevels) {
  ReadOptions options;
  options.na = {"-9"};
  const auto source = table("d", {"x"}, {{"a"}, {"-9"}, {"b"}, {"?"}});
  EXPECT_THAT(infer({source}, options, kCatalogue).schema.find("x")->levels, ElementsAre("a", "b"));
}

TEST(Infer, MissingAsCategoryIsTheLastLevelOfEveryLevelColumn) {
  ReadOptions options;
  options.missing_as_category = true;
  options.family = {{"age", "gaussian"}};
  const auto source =
      table("d", {"full", "some", "tick", "age", "same"},
            {{"b", "x", "t", "1", "s"}, {"a", "y", "", "2", "s"}, {"a", "", "", "", "s"}});
  const Inferred inferred = infer({source}, options, kCatalogue);
  EXPECT_THAT(inferred.schema.find("full")->levels, ElementsAre("a", "b", "(missing)"));
  EXPECT_EQ(inferred.schema.find("full")->family, "categorical");  // three levels, not two
  EXPECT_THAT(inferred.schema.find("tick")->levels, ElementsAre("t", "(missing)"));
  EXPECT_EQ(inferred.schema.find("tick")->family, "bernoulli");
  EXPECT_THAT(inferred.schema.find("age")->levels, IsEmpty());
  EXPECT_EQ(inferred.schema.find("same")->role, Role::ignored);
  EXPECT_TRUE(inferred.schema.missing_as_category);
}

TEST(Infer, TripletsPoolTheirLevelsAndKeepItemsInOrderOfAppearance) {
  const auto log =
      triplets("r", {{"u1", "m9", "5"}, {"u2", "m1", "3"}, {"u1", "m1", ""}, {"u2", "m9", "4"}});
  const Schema schema = infer({log}, {}, kCatalogue).schema;
  ASSERT_EQ(schema.sources[0].kind, SourceKind::triplets);
  EXPECT_THAT(schema.sources[0].items, ElementsAre("m9", "m1"));
  ASSERT_EQ(schema.sources[0].columns.size(), 1U);
  EXPECT_EQ(schema.sources[0].columns[0].name, "value");
  EXPECT_THAT(schema.sources[0].columns[0].levels, ElementsAre("3", "4", "5"));
  ReadOptions options;
  options.family = {{"value", "gaussian"}};
  EXPECT_EQ(infer({log}, options, kCatalogue).schema.find("value")->encoding, Encoding::real);
  options.family = {{"r", "gaussian"}};
  EXPECT_EQ(infer({log}, options, kCatalogue).schema.find("value")->encoding, Encoding::real);
}

TEST(Infer, TokenSourcesBecomeOneColumnOfWords) {
  const auto docs = documents("words", {"sun", "rain"}, {{{0, 2.0F}}, {{1, 1.0F}}});
  const Schema schema = infer({docs}, {}, kCatalogue).schema;
  EXPECT_EQ(schema.sources[0].kind, SourceKind::tokens);
  EXPECT_EQ(schema.find("words")->family, "tokens");
  EXPECT_THAT(schema.find("words")->levels, ElementsAre("sun", "rain"));
}

TEST(Infer, TheLabelOfSvmlightLinesIsUsedWhenAsked) {
  auto docs = documents("words", {"sun", "rain"}, {{{0, 2.0F}}, {{1, 1.0F}}});
  std::get<RawCounts>(docs.content).label = {"+1", "-1"};
  EXPECT_EQ(infer({docs}, {}, kCatalogue).schema.find("label")->role, Role::ignored);
  ReadOptions options;
  options.label = "label";
  EXPECT_THAT(infer({docs}, options, kCatalogue).schema.find("label")->levels,
              ElementsAre("+1", "-1"));
  options.label = "words";
  EXPECT_THAT(refusal({docs}, options), HasSubstr("not a column with one value per row"));
}

TEST(Infer, AColumnSourceCanBeTheLabel) {
  const auto docs = documents("words", {"sun"}, {{{0, 2.0F}}, {{0, 1.0F}}});
  ReadOptions options;
  options.label = "class";
  const Schema schema = infer({docs, column("class", {"b", "a"})}, options, kCatalogue).schema;
  EXPECT_EQ(schema.sources[1].kind, SourceKind::column);
  EXPECT_EQ(schema.find("class")->role, Role::label);
}

TEST(Infer, ANameThatTwoSourcesHaveMustBeQualified) {
  const auto a = table("a", {"x", "y"}, {{"1", "2"}, {"2", "3"}});
  const auto b = table("b", {"x", "z"}, {{"1", "2"}, {"2", "3"}});
  ReadOptions options;
  options.label = "x";
  EXPECT_THAT(refusal({a, b}, options),
              AllOf(HasSubstr("2 sources have a column \"x\""), HasSubstr("a.x")));
  options.label = "b.x";
  const Schema schema = infer({a, b}, options, kCatalogue).schema;
  EXPECT_EQ(schema.sources[0].columns[0].role, Role::feature);
  EXPECT_EQ(schema.sources[1].columns[0].role, Role::label);
}

TEST(Infer, TwoColumnsOfOneNameAreRefused) {
  EXPECT_THAT(refusal({table("d", {"x", "x"}, {{"1", "2"}, {"2", "1"}})}, {}),
              AllOf(HasSubstr("d.csv"), HasSubstr("two columns are named \"x\"")));
}

}  // namespace
}  // namespace medley::data
