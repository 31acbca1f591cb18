// SPDX-License-Identifier: Apache-2.0
#include "medley/report.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>

#include "medley/fit.hpp"
#include "report/hand_made.hpp"
#include "report/layout.hpp"
#include "support/toy.hpp"

namespace medley {
namespace {

using testing::HasSubstr;
using testing::Not;

std::vector<model::ModelBlock> both() {
  std::vector<model::ModelBlock> blocks;
  blocks.push_back(hand_made::survey());
  blocks.push_back(hand_made::corpus());
  return blocks;
}

Model survey() {
  std::vector<model::ModelBlock> blocks;
  blocks.push_back(hand_made::survey());
  return hand_made::model(std::move(blocks), {0.6, 0.4});
}

std::string as(const Model& model, TextFormat format) {
  InspectOptions options;
  options.format = format;
  return inspect(model, options);
}

// Two patterns of answers; of the rows of the first 60 % are "b", 30 % "a" and 10 % "c".
TEST(InspectText, NamesTheClassesOfAProfileTheLikeliestFirst) {
  std::vector<std::vector<int>> codes;
  KeptColumn label{"group", {"a", "b", "c"}, {}};
  for (std::size_t row = 0; row < 400; ++row) {
    const bool first = row < 200;
    codes.emplace_back(5, first ? 1 : 0);
    const std::size_t tenth = row % 10;
    label.code.push_back(!first ? 2 : tenth < 3 ? 0 : tenth < 9 ? 1 : 2);
  }
  Dataset data =
      test::dataset({test::level_block("bernoulli", codes, std::vector<std::size_t>(5, 2))});
  data.kept.push_back(label);
  ColumnSpec column;
  column.name = "group";
  column.role = Role::label;
  column.levels = label.levels;
  SourceSpec source;
  source.columns.push_back(column);
  data.schema.sources.push_back(source);
  FitOptions options;
  options.model = "mnb";
  options.components = 2;
  options.label.head = LabelHead::softmax;
  const std::string text = as(fit(data, options), TextFormat::text);
  EXPECT_THAT(text, HasSubstr("; 60 % b, 30 % a, 10 % c"));
  EXPECT_THAT(text, HasSubstr("; 100 % c"));
}

TEST(InspectText, ShowsProfilesWithNumberNameAndSize) {
  const std::string text = as(survey().renamed(1, "Frail"), TextFormat::text);
  EXPECT_THAT(text, HasSubstr("Profile 1   60 % of memberships"));
  EXPECT_THAT(text, HasSubstr("Profile 2 \"Frail\"   40 % of memberships"));
}

TEST(InspectText, ListsTheTypicalLevelOfATwoLevelFeatureOnce) {
  const std::string text = as(survey(), TextFormat::text);
  EXPECT_THAT(text, HasSubstr("smokes = yes"));
  EXPECT_THAT(text, HasSubstr("1 other feature is about as in the population"));
  EXPECT_EQ(text.find("smokes = no"), text.rfind("smokes = no"));  // in the second profile only
}

TEST(InspectText, FitsTheWidthEvenWithLongNames) {
  auto block =
      hand_made::block("b", "categorical", {{std::string(300, 'x'), {"a", std::string(50, 'y')}}},
                       {{0.9, 0.1}, {0.1, 0.9}}, {50, 50});
  std::vector<model::ModelBlock> blocks;
  blocks.push_back(std::move(block));
  InspectOptions options;
  options.width = 70;
  std::istringstream lines(inspect(hand_made::model(std::move(blocks), {0.5, 0.5}), options));
  for (std::string line; std::getline(lines, line);) EXPECT_LE(report::width_of(line), 70U) << line;
}

TEST(InspectText, ShowsAnswersAndWordsOfSeveralBlocks) {
  const std::string text = as(hand_made::model(both(), {0.5, 0.5}), TextFormat::text);
  EXPECT_THAT(text, HasSubstr("  survey:\n"));
  EXPECT_THAT(text, HasSubstr("  text:\n"));
  EXPECT_THAT(text, HasSubstr("  FREX         cat"));
}

TEST(InspectText, TitlesAreKeptApartByCommas) {
  std::vector<model::ModelBlock> blocks;
  blocks.push_back(hand_made::block("refs", "tokens", {{"refs", {"A book", "Another one"}}},
                                    {{0.6, 0.5}, {0.4, 0.5}}, {60, 40}));
  EXPECT_THAT(as(hand_made::model(std::move(blocks), {0.5, 0.5}), TextFormat::text),
              HasSubstr("probability  A book, Another one\n"));
}

// Three occurrences in all: too few to rank any word by lift.
TEST(InspectText, LeavesOutARankingWithoutWords) {
  std::vector<model::ModelBlock> blocks;
  blocks.push_back(
      hand_made::block("refs", "tokens", {{"refs", {"a", "b"}}}, {{0.6}, {0.4}}, {2, 1}));
  const std::string text = as(hand_made::model(std::move(blocks), {1.0}), TextFormat::text);
  EXPECT_THAT(text, HasSubstr("FREX         "));
  EXPECT_THAT(text, Not(HasSubstr("\n  lift")));
}

TEST(InspectText, HostileNamesReachNoTerminal) {
  auto block = hand_made::block("b", "categorical", {{"q\x1b]0;gone\x07", {"a", "\x1b[2J"}}},
                                {{0.9, 0.1}, {0.1, 0.9}}, {50, 50});
  std::vector<model::ModelBlock> blocks;
  blocks.push_back(std::move(block));
  const Model model = hand_made::model(std::move(blocks), {0.5, 0.5}).renamed(0, "\x1b[31m");
  for (const TextFormat format : {TextFormat::text, TextFormat::md, TextFormat::latex}) {
    EXPECT_THAT(as(model, format), Not(HasSubstr("\x1b")));
  }
}

TEST(InspectText, ColoursOnlyIfAsked) {
  InspectOptions options;
  options.colour = true;
  EXPECT_THAT(inspect(survey(), options), HasSubstr("\x1b[1mProfile 1"));
}

TEST(InspectCsv, IsComplete) {
  const std::string text = as(hand_made::model(both(), {0.5, 0.5}), TextFormat::csv);
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 1 + (7 + 4) * 2);
  EXPECT_THAT(text,
              HasSubstr("block,feature,level,population,component,probability,lift,mean,sd,"));
  EXPECT_THAT(text, HasSubstr("survey,smokes,yes,0.5,1,0.95,1.9,,,,\n"));
}

TEST(InspectMarkdown, EscapesWhatIsMarkup) {
  auto block = hand_made::block("b", "categorical", {{"a|b", {"x_1", "*y*"}}},
                                {{0.9, 0.1}, {0.1, 0.9}}, {50, 50});
  std::vector<model::ModelBlock> blocks;
  blocks.push_back(std::move(block));
  const std::string text = as(hand_made::model(std::move(blocks), {0.5, 0.5}), TextFormat::md);
  EXPECT_THAT(text, HasSubstr("| a\\|b = x\\_1 | 90 % | 50 % | 1.8 |"));
}

TEST(InspectLatex, EscapesWhatIsACommand) {
  auto block = hand_made::block("b", "categorical", {{"50%_&\\", {"$x", "#y"}}},
                                {{0.9, 0.1}, {0.1, 0.9}}, {50, 50});
  std::vector<model::ModelBlock> blocks;
  blocks.push_back(std::move(block));
  const std::string text = as(hand_made::model(std::move(blocks), {0.5, 0.5}), TextFormat::latex);
  EXPECT_THAT(text, HasSubstr("50\\%\\_\\&\\textbackslash{} = \\$x & 90 \\% & 50 \\% & 1.8 \\\\"));
}

TEST(Inspect, ShowsWhatALevelMeansInEveryFormat) {
  std::vector<model::ModelBlock> blocks;
  blocks.push_back(hand_made::block("b", "categorical",
                                    {{"region", {"1", "2"}, {"North", "South"}}},
                                    {{0.9, 0.1}, {0.1, 0.9}}, {50, 50}));
  const Model model = hand_made::model(std::move(blocks), {0.5, 0.5});
  for (const TextFormat format : {TextFormat::text, TextFormat::md, TextFormat::latex}) {
    EXPECT_THAT(as(model, format), HasSubstr("region = North"));
    EXPECT_THAT(as(model, format), Not(HasSubstr("region = 1")));
  }
  EXPECT_THAT(as(model, TextFormat::csv), HasSubstr("b,region,South,0.5,"));
}

}  // namespace
}  // namespace medley
