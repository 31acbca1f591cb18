// SPDX-License-Identifier: Apache-2.0
// Columns of words, tags and options, from the table to the block.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

#include "data/encode.hpp"
#include "data/infer.hpp"
#include "data/samples.hpp"

namespace medley::data {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::Pair;
using ::testing::UnorderedElementsAre;
using namespace medley::testing;

const FamilyCatalogue kCatalogue = small_catalogue();

RawSource survey() {
  return table("data", {"sex", "says", "cites", "media"},
               {{"m", "Cats, cats and dogs!", "A1;B2; A1 ", "TV;Web"},
                {"f", "dogs", "B2;;C3", "Web"},
                {"m", "", "", ""},
                {"f", "and so on", "C3", " ; "}});
}

ReadOptions asked() {
  ReadOptions options;
  options.family = {{"says", "text"}, {"cites", "tags"}, {"media", "set"}};
  options.words.min_count = 1;
  return options;
}

Dataset fit(const RawSource& source, const ReadOptions& options) {
  return encode({source}, infer({source}, options, kCatalogue).schema, options, kCatalogue);
}

// Word -> count of one row.
std::map<std::string, float> bag(const Block& block, std::size_t row) {
  std::map<std::string, float> found;
  for (std::uint64_t i = block.row_start[row]; i < block.row_start[row + 1]; ++i) {
    found[block.features[0].levels[block.slot[i]]] += block.weight_of(i);
  }
  return found;
}

TEST(TextColumns, EachHasABlockOfItsOwnBehindTheOthers) {
  const Dataset data = fit(survey(), asked());
  ASSERT_EQ(data.blocks.size(), 4U);
  EXPECT_EQ(data.blocks[0].name, "data");
  EXPECT_EQ(data.blocks[1].name, "says");
  EXPECT_EQ(data.blocks[2].name, "cites");
  EXPECT_EQ(data.blocks[3].name, "media");
  EXPECT_EQ(data.blocks[1].family, "tokens");
  EXPECT_EQ(data.blocks[3].family, "bernoulli");
  EXPECT_THAT(data.warnings, IsEmpty());
}

TEST(TextColumns, WordsAreCounted) {
  const Block says = fit(survey(), asked()).blocks[1];
  EXPECT_THAT(says.features[0].levels, ElementsAre("and", "cats", "dogs", "on", "so"));
  EXPECT_THAT(bag(says, 0), ElementsAre(Pair("and", 1), Pair("cats", 2), Pair("dogs", 1)));
  EXPECT_THAT(bag(says, 1), ElementsAre(Pair("dogs", 1)));
  EXPECT_THAT(bag(says, 2), IsEmpty());
  EXPECT_EQ(says.missing, 1U);
}

TEST(TextColumns, TagsAreSplitTrimmedAndCounted) {
  const Block cites = fit(survey(), asked()).blocks[2];
  EXPECT_THAT(cites.features[0].levels, ElementsAre("A1", "B2", "C3"));
  EXPECT_THAT(bag(cites, 0), ElementsAre(Pair("A1", 2), Pair("B2", 1)));
  EXPECT_THAT(bag(cites, 1), ElementsAre(Pair("B2", 1), Pair("C3", 1)));
}

TEST(TextColumns, ASetAnswersEveryOptionUnlessItIsMissing) {
  const Block media = fit(survey(), asked()).blocks[3];
  ASSERT_EQ(media.features.size(), 2U);
  EXPECT_EQ(media.features[0].name, "media: TV");
  EXPECT_THAT(media.features[0].levels, ElementsAre("no", "yes"));
  EXPECT_EQ(decoded(media, 0, "media: TV") + decoded(media, 0, "media: Web"), "yesyes");
  EXPECT_EQ(decoded(media, 1, "media: TV") + decoded(media, 1, "media: Web"), "noyes");
  EXPECT_EQ(decoded(media, 2, "media: TV") + decoded(media, 2, "media: Web"), "");
  EXPECT_EQ(decoded(media, 3, "media: TV") + decoded(media, 3, "media: Web"), "nono");
  EXPECT_EQ(media.missing, 2U);
  EXPECT_THAT(media.slot, ElementsAre(1U, 3U, 0U, 3U, 0U, 2U));
}

TEST(TextColumns, AMissingSetIsALevelOfEveryOptionIfAsked) {
  ReadOptions options = asked();
  options.missing_as_category = true;
  const Block media = fit(survey(), options).blocks[3];
  EXPECT_EQ(media.family, "categorical");
  EXPECT_EQ(decoded(media, 2, "media: TV"), "(missing)");
  EXPECT_EQ(decoded(media, 3, "media: TV"), "no");
}

TEST(TextColumns, ASchemaAloneGivesTheSameShapes) {
  const Dataset data = fit(survey(), asked());
  const std::string toml = to_toml(data.schema);
  const Dataset empty = encode({}, schema_from_toml(toml, "s.toml"), {}, kCatalogue);
  ASSERT_EQ(empty.blocks.size(), data.blocks.size());
  for (std::size_t b = 0; b < data.blocks.size(); ++b) {
    EXPECT_EQ(empty.blocks[b].name, data.blocks[b].name);
    EXPECT_EQ(empty.blocks[b].family, data.blocks[b].family);
    EXPECT_EQ(empty.blocks[b].first_slot, data.blocks[b].first_slot);
    for (std::size_t f = 0; f < data.blocks[b].features.size(); ++f) {
      EXPECT_EQ(empty.blocks[b].features[f].name, data.blocks[b].features[f].name);
      EXPECT_EQ(empty.blocks[b].features[f].levels, data.blocks[b].features[f].levels);
    }
  }
}

TEST(TextColumns, WhatALaterFileAddsIsCountedAndReportedOnce) {
  ReadOptions later;
  later.schema = fit(survey(), asked()).schema;
  const RawSource file =
      table("data", {"sex", "says", "cites", "media"},
            {{"m", "new dogs, new cats", "D4;A1", "Radio"}, {"f", "new", "", ""}});
  const Dataset data = encode({file}, *later.schema, later, kCatalogue);
  EXPECT_EQ(data.blocks[1].unseen, 3U);
  EXPECT_EQ(data.blocks[2].unseen, 1U);
  EXPECT_EQ(data.blocks[3].unseen, 1U);
  EXPECT_THAT(bag(data.blocks[1], 0), ElementsAre(Pair("cats", 1), Pair("dogs", 1)));
  EXPECT_EQ(decoded(data.blocks[3], 0, "media: TV"), "no");
  EXPECT_THAT(
      data.warnings,
      ElementsAre(AllOf(HasSubstr("\"says\""), HasSubstr("3 of 5 words"), HasSubstr("\"new\"")),
                  AllOf(HasSubstr("\"cites\""), HasSubstr("1 of 2 tags"), HasSubstr("D4")),
                  AllOf(HasSubstr("\"media\""), HasSubstr("1 of 1 option"), HasSubstr("Radio"))));
}

TEST(TextColumns, AnotherSeparator) {
  ReadOptions options = asked();
  options.split = " and ";
  const RawSource source = table("data", {"media"}, {{"TV and Web"}, {"TV"}, {"Band"}});
  options.family = {{"media", "set"}};
  const Dataset data = fit(source, options);
  EXPECT_THAT(data.schema.find("media")->levels, ElementsAre("Band", "TV", "Web"));
  EXPECT_EQ(data.schema.find("media")->split, " and ");
}

TEST(TextColumns, ListsOfTheFileAndListsInTextMeanTheSame) {
  RawSource lists = table("data", {"cites"},
                          {{"A\x1F"
                            "B;1"},
                           {"B;1"},
                           {"\x1F"}});
  std::get<RawTable>(lists.content).columns[0].cells = CellText::tags;
  ReadOptions options;
  options.words.min_count = 1;
  const Dataset data = fit(lists, options);  // nothing asked: the file says that they are lists
  EXPECT_THAT(data.schema.find("cites")->levels, ElementsAre("A", "B;1"));
  EXPECT_EQ(data.blocks[0].missing, 0U);
  const Dataset text =
      encode({table("data", {"cites"}, {{"A;B"}, {"A"}})}, data.schema, {}, kCatalogue);
  EXPECT_THAT(bag(text.blocks[0], 0), ElementsAre(Pair("A", 1)));
}

TEST(TextColumns, ANameThatIsTakenGetsItsSourceInFront) {
  const RawSource source = table("data", {"sex", "data"}, {{"m", "a b"}, {"f", "b c"}});
  ReadOptions options = asked();
  options.family = {{"data", "text"}};
  const Dataset data = fit(source, options);
  EXPECT_EQ(data.blocks[0].name, "data");
  EXPECT_EQ(data.blocks[1].name, "data.data");
}

TEST(TextColumns, OneDocumentPerLineIsABlockNamedLikeTheSource) {
  RawSource source = column("docs", {"one fish", "two fish", "", "red"});
  std::get<RawTable>(source.content).columns[0].cells = CellText::text;
  ReadOptions options;
  options.words.min_count = 1;
  const Dataset data = fit(source, options);
  ASSERT_EQ(data.blocks.size(), 1U);
  EXPECT_EQ(data.blocks[0].name, "docs");
  EXPECT_THAT(data.blocks[0].features[0].levels, ElementsAre("fish", "one", "red", "two"));
}

TEST(TextColumns, NothingLeftIsAProblem) {
  ReadOptions options = asked();
  options.words.min_count = 10;
  EXPECT_THAT(complaint([&] { (void)fit(survey(), options); }),
              AllOf(HasSubstr("no word of column \"says\" is left"), HasSubstr("fewer than 10"),
                    HasSubstr("no entry of column \"cites\""), Not(HasSubstr("media"))));
  options.family = {{"says", "text"}};
  EXPECT_THAT(complaint([&] { (void)fit(table("data", {"says"}, {{"..."}, {"!"}}), options); }),
              HasSubstr("column \"says\" holds no word at all"));
}

TEST(TextColumns, OnlyTextCanBeTakenApart) {
  ReadOptions options;
  options.family = {{"docs", "text"}};
  EXPECT_THAT(complaint([&] {
                (void)infer({documents("docs", {"a", "b"}, {{{0, 1}}})}, options, kCatalogue);
              }),
              HasSubstr("no table"));
}

TEST(TextColumns, AnEditedSchemaIsChecked) {
  Schema schema = fit(survey(), asked()).schema;
  const auto complaint_of = [&](auto change) {
    Schema edited = schema;
    change(edited.sources[0].columns);
    return complaint([&] { (void)encode({}, edited, {}, kCatalogue); });
  };
  EXPECT_THAT(complaint_of([](auto& columns) { columns[1].family = "gaussian"; }),
              AllOf(HasSubstr("\"says\""), HasSubstr("use family = \"tokens\"")));
  EXPECT_THAT(complaint_of([](auto& columns) { columns[3].family = "tokens"; }),
              HasSubstr("use family = \"bernoulli\""));
  EXPECT_THAT(complaint_of([](auto& columns) { columns[2].levels.clear(); }),
              HasSubstr("`column=\"cites=tags\"`"));
  EXPECT_THAT(complaint_of([](auto& columns) { columns[1].text.stem = "klingon"; }),
              HasSubstr("no word stems for \"klingon\""));
}

TEST(TextColumns, ProseIsRecognised) {
  Rows rows;
  for (int i = 0; i < 30; ++i) {
    rows.push_back({"Answer number " + std::to_string(i) + " of the people who were asked",
                    "2021-03-04 12:33:" + std::to_string(i), "person " + std::to_string(i)});
  }
  const Schema schema =
      infer({table("data", {"says", "when", "who"}, rows)}, {}, kCatalogue).schema;
  EXPECT_EQ(schema.find("says")->cells, CellText::text);
  EXPECT_EQ(schema.find("says")->note,
            "running text, 9.0 words a cell; vocabulary 8 (left out: 30 rare)");
  EXPECT_EQ(schema.find("when")->cells, CellText::value);
  EXPECT_EQ(schema.find("who")->cells, CellText::value);
}

TEST(TextColumns, FewOrRepeatedSentencesAreLevels) {
  Rows few, repeated;
  for (int i = 0; i < 19; ++i)
    few.push_back({"This is the answer with number " + std::to_string(i)});
  for (int i = 0; i < 40; ++i)
    repeated.push_back({"I agree with answer number " + std::to_string(i % 5)});
  EXPECT_EQ(infer({table("data", {"x"}, few)}, {}, kCatalogue).schema.find("x")->cells,
            CellText::value);
  EXPECT_EQ(infer({table("data", {"x"}, repeated)}, {}, kCatalogue).schema.find("x")->cells,
            CellText::value);
}

TEST(TextColumns, WhatLooksLikeListsIsProposedNotDone) {
  Rows rows;
  for (int i = 0; i < 12; ++i)
    rows.push_back({i % 3 == 0 ? "TV|Web" : "Web", i % 2 == 0 ? "a" : "b"});
  const Inferred inferred = infer({table("data", {"media", "ab"}, rows)}, {}, kCatalogue);
  const Schema& schema = inferred.schema;
  EXPECT_THAT(inferred.warnings, ElementsAre(HasSubstr("column \"media\": lists? `column=")));
  EXPECT_EQ(schema.find("media")->cells, CellText::value);
  EXPECT_EQ(schema.find("media")->family, "bernoulli");
  EXPECT_THAT(
      schema.find("media")->note,
      HasSubstr("lists? `column=\"media=set\"` or `column=\"media=tags\"`, with `split=\"|\"`"));
  EXPECT_THAT(schema.find("ab")->note, Not(HasSubstr("lists")));
}

}  // namespace
}  // namespace medley::data
