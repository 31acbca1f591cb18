// SPDX-License-Identifier: Apache-2.0
// The data of a page, on hand-made models and rows whose answers can be worked out on paper.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "medley/report.hpp"
#include "report/hand_made.hpp"
#include "report/page_rows.hpp"
#include "support/as_draws.hpp"

namespace medley {
namespace {

using Json = nlohmann::ordered_json;
using testing::ElementsAre;

Model survey_model() {
  std::vector<model::ModelBlock> blocks;
  blocks.push_back(hand_made::survey());
  return hand_made::model(std::move(blocks), {0.6, 0.4});
}

/// Rows of the hand-made survey: the slots of smokes (0, 1), same (2, 3) and mood (4 to 6).
Dataset rows_of(const Model& model, const std::vector<std::vector<std::uint32_t>>& rows) {
  Dataset data;
  data.rows = rows.size();
  Block block = model.parts().blocks[0].shape;
  for (const auto& row : rows) {
    block.slot.insert(block.slot.end(), row.begin(), row.end());
    block.row_start.push_back(block.slot.size());
  }
  data.blocks.push_back(std::move(block));
  return data;
}

/// JSON and arrays of a page.
struct Unpacked {
  Json json;
  std::string arrays;

  template <class T>
  [[nodiscard]] std::vector<T> array(const Json& mention) const {
    std::vector<T> out(mention.at("n").get<std::size_t>());
    std::memcpy(out.data(), arrays.data() + mention.at("at").get<std::size_t>(),
                out.size() * sizeof(T));
    return out;
  }
};

Unpacked unpacked(const std::string& data) {
  std::uint32_t length = 0;
  std::memcpy(&length, data.data(), 4);
  return {Json::parse(data.substr(4, length)), data.substr((4 + length + 7) / 8 * 8)};
}

Unpacked page_of(const Model& model, const Dataset* data, const ReportOptions& options = {}) {
  return unpacked(report_data({model, data}, options));
}

TEST(Page, TablesAreThoseOfTheModelAgainstThePopulation) {
  const Unpacked page = page_of(survey_model(), nullptr);
  const Json& block = page.json.at("blocks").at(0);
  EXPECT_EQ(block.at("features").at(2).at("levels"), Json({"bad", "fair", "good"}));
  const auto value = page.array<float>(block.at("value"));
  EXPECT_FLOAT_EQ(value[0], 0.05F);
  EXPECT_FLOAT_EQ(value[1], 0.95F);
  EXPECT_FLOAT_EQ(value[4 * 2 + 1], 0.1F);
  EXPECT_FLOAT_EQ(page.array<float>(block.at("population"))[4], 0.4F);
  // "same" is like the population: nothing speaks for a difference
  EXPECT_EQ(block.at("features").at(1).at("evidence"), 0.0);
  EXPECT_GT(block.at("features").at(0).at("evidence").get<double>(), 100);
  EXPECT_FALSE(page.json.contains("rows"));
}

TEST(Page, DistancesAreHellingers) {
  const Unpacked page = page_of(survey_model(), nullptr);
  const auto distance = page.json.at("relations").at("distance").get<std::vector<double>>();
  const double yes_no = std::sqrt(1 - 2 * std::sqrt(0.05 * 0.95));
  const double mood = std::sqrt(1 - 2 * std::sqrt(0.7 * 0.1) - 0.2);
  EXPECT_NEAR(distance[1], (yes_no + 0 + mood) / 3, 1e-12);
  EXPECT_NEAR(distance[0], 0, 1e-7);
}

TEST(Page, ACellSpeaksByBayesRule) {
  const Model model = survey_model();
  const Dataset data = rows_of(model, {{1, 2, 4}, {0, 3, 5}});
  const Unpacked page = page_of(model, &data);
  const Json& details = page.json.at("rows").at("details");
  const auto start = page.array<std::uint32_t>(details.at("driver_start"));
  const auto evidence = page.array<float>(details.at("evidence"));
  const auto feature = page.array<std::uint32_t>(details.at("feature"));
  const auto profile = page.array<std::uint32_t>(details.at("profile"));
  const auto speaks = page.array<std::uint16_t>(details.at("speaks"));
  ASSERT_THAT(start, ElementsAre(0, 3, 6));
  // the first row: smokes = yes (0.95 against 0.05) says most, then mood = bad (0.7, 0.1), then
  // same
  const auto told = [](double a, double b) {
    const double r = 0.6 * a / (0.6 * a + 0.4 * b);
    return r * std::log(r / 0.6) + (1 - r) * std::log((1 - r) / 0.4);
  };
  EXPECT_EQ(details.at("texts").at(feature[0]), "smokes");
  EXPECT_NEAR(evidence[0], told(0.95, 0.05), 1e-6);
  EXPECT_NEAR(speaks[0] / 65535.0, 0.6 * 0.95 / (0.6 * 0.95 + 0.4 * 0.05), 1e-4);
  EXPECT_EQ(profile[0], 0U);
  EXPECT_NEAR(evidence[1], told(0.7, 0.1), 1e-6);
  EXPECT_NEAR(evidence[2], 0, 1e-6);
  EXPECT_EQ(profile[3], 1U);  // the second row: smokes = no speaks for the second profile
}

TEST(Page, ListsNameTheRowsTheyAreAbout) {
  const Model model = survey_model();
  // all of one profile, all of the other, half of each, and nothing observed
  Dataset data = rows_of(model, {{1, 2, 4}, {0, 2, 6}, {1, 2, 6}, {}});
  data.ids = {"one", "two", "both", "none"};
  const Unpacked page = page_of(model, &data);
  const Json& rows = page.json.at("rows");
  EXPECT_EQ(rows.at("id"), Json({"one", "two", "both", "none"}));
  EXPECT_EQ(rows.at("typical").at(0).at(0), 0);
  EXPECT_EQ(rows.at("typical").at(1).at(0), 1);
  EXPECT_EQ(rows.at("mixed").at(0), 2);
  EXPECT_EQ(rows.at("mixed").size(), 3U);  // the empty row is in no list
  EXPECT_EQ(rows.at("empty"), 1);
  const auto share = page.array<std::uint16_t>(rows.at("share"));
  EXPECT_GT(share[0], 40000);      // profile by profile: the first of "one"
  EXPECT_GT(share[4 + 1], 40000);  // and the second of "two"
}

TEST(Page, MoreRowsThanAskedForAreSampledAndAllAreCounted) {
  const Model model = survey_model();
  std::vector<std::vector<std::uint32_t>> cells;
  for (std::size_t i = 0; i < 200; ++i)
    cells.push_back(i % 4 == 0 ? std::vector<std::uint32_t>{0, 2, 6}
                               : std::vector<std::uint32_t>{1, 2, 4});
  const Dataset data = rows_of(model, cells);
  ReportOptions options;
  options.most_rows = 40;
  const Json rows = page_of(model, &data, options).json.at("rows");
  EXPECT_EQ(rows.at("all"), 200);
  EXPECT_EQ(rows.at("sampled"), 40);
  EXPECT_EQ(rows.at("top_of_rows"), Json({150.0, 50.0}));
  // stratified: a quarter of the sample too is of the second profile
  std::size_t second = 0;
  const Unpacked page = page_of(model, &data, options);
  const auto sampled = page.array<std::uint8_t>(rows.at("in_sample"));
  for (std::size_t i = 0; i < sampled.size(); ++i)
    if (sampled[i] != 0 && (std::stoul(rows.at("id")[i].get<std::string>()) - 1) % 4 == 0) ++second;
  EXPECT_EQ(second, 10U);
}

TEST(Page, WithoutRowsThereIsNothingOfARow) {
  const Model model = survey_model();
  Dataset data = rows_of(model, {{1, 2, 4}, {0, 2, 6}, {1, 2, 6}});
  data.ids = {"secret-1", "secret-2", "secret-3"};
  data.kept.push_back({"town", {"big", "small"}, {0, 0, 1}});
  ReportOptions options;
  options.rows = false;
  options.by = {"town"};
  options.min_cell = 2;
  const std::string text = report_data({model, &data}, options);
  EXPECT_EQ(text.find("secret"), std::string::npos);
  const Json json = unpacked(text).json;
  EXPECT_FALSE(json.at("rows").contains("share"));
  const Json& groups = json.at("groups").at(0);
  EXPECT_EQ(groups.at("groups").size(), 1U);
  EXPECT_EQ(groups.at("groups").at(0).at("group"), "big");
  EXPECT_EQ(groups.at("left_out"), 1);
}

TEST(Page, MethodsTellColumnsMissingCellsAndTheCitation) {
  const Model model = survey_model();
  Dataset data = rows_of(model, {{0, 2, 4}, {1, 3}});
  data.blocks[0].missing = 1;
  const Json methods = unpacked(report_data({model, &data}, {})).json.at("methods");
  const std::string family = model.parts().blocks[0].shape.family;
  EXPECT_EQ(methods.at(0), "The model describes 3 columns (3 " + family + ").");
  EXPECT_EQ(methods.at(1),
            "1 of 6 cells (17 %) are missing; the likelihood is that of the cells that are "
            "observed.");
  EXPECT_THAT(methods.at(2).get<std::string>(), testing::HasSubstr("The Medley authors"));
}

TEST(Page, GroupsAreCalledByTheirLabels) {
  const Model model = survey_model();
  Dataset data = rows_of(model, {{0, 2, 4}, {1, 3, 5}, {0, 2, 6}, {1, 3, 4}});
  data.kept.push_back({"region", {"1", "2"}, {0, 1, 0, 1}, {"Nord", "Süd"}, "Where do you live?"});
  ReportOptions options;
  options.by = {"region"};
  const Json page = unpacked(report_data({model, &data}, options)).json;
  EXPECT_THAT(page.at("rows").at("columns").at(0).at("levels"), ElementsAre("Nord", "Süd"));
  EXPECT_EQ(page.at("groups").at(0).at("groups").at(1).at("group"), "Süd");
  EXPECT_EQ(page.at("groups").at(0).at("title"), "Where do you live?");
}

TEST(Page, HealthIsToldInWords) {
  const Json lights = page_of(survey_model(), nullptr).json.at("lights");
  EXPECT_EQ(lights.at(0).at("state"), "good");
  auto parts = survey_model().parts().clone();
  parts->summary.termination = Termination::iteration_limit;
  parts->summary.empty_rows = 4;
  parts->sizes = {0.999, 0.001};
  const Json bad = page_of(Model(parts), nullptr).json.at("lights");
  std::vector<std::string> states;
  for (const Json& light : bad) states.push_back(light.at("state"));
  EXPECT_THAT(states, ElementsAre("poor", "unknown", "fair", "fair"));
  EXPECT_THAT(bad.at(3).at("answer").get<std::string>(), testing::HasSubstr("4 rows (4.0 %)"));
}

TEST(Page, StartsThatAFitTriedByItselfTellWhetherItIsStable) {
  auto parts = survey_model().parts().clone();
  parts->summary.restarts = {{{-1000},
                              Termination::converged,
                              {{"start 3 of 16", 40, -1000},
                               {"start 5 of 16", 20, -1000.5},
                               {"start 1 of 16", 8, -1020}}}};
  const auto light = [&] { return page_of(Model(parts), nullptr).json.at("lights").at(1); };
  EXPECT_EQ(light().at("state"), "good");
  EXPECT_EQ(
      light().at("answer"),
      "Yes: 2 of the 3 starts that were followed to their end came within 0.1 % of the best.");
  parts->summary.restarts[0].tried[1].bound = -1002;
  EXPECT_EQ(light().at("state"), "fair");
}

// The light is one sentence: lines and other blanks of the summary are not for a page.
TEST(Page, WhatTheModelDoesNotKnowIsOneLine) {
  const Model model = survey_model();
  Dataset data = rows_of(model, {{0, 2, 4}, {1, 3, 6}});
  data.unknown = {{data.blocks[0].name, "green", 3}};
  data.extra = {"height"};
  const Json lights = page_of(model, &data).json.at("lights");
  EXPECT_EQ(lights.back().at("answer"),
            "No. Not known to the model in survey, most frequent first: green (3). 1 column the "
            "model does not know, not read: height.");
}

// What is not about the chains has a light of its own; chains are no starts.
TEST(Page, TheLightOfChainsIsAboutChains) {
  auto parts = survey_model().parts().clone();
  parts->summary.termination = Termination::sampled;
  parts->summary.empty_rows = 4;
  const Model one(parts);
  const Json page = page_of(test::as_draws({one, one, one, one}, {{}, {}, {}, {}}), nullptr).json;
  const Json& light = page.at("lights").at(0);
  EXPECT_EQ(light.at("question"), "Have the chains mixed?");
  EXPECT_THAT(light.at("answer").get<std::string>(), testing::HasSubstr("effective draws"));
  EXPECT_THAT(light.at("answer").get<std::string>(),
              testing::Not(testing::HasSubstr("nothing observed")));
  std::vector<std::string> facts;
  for (const Json& fact : page.at("model").at("facts")) facts.push_back(fact.at("name"));
  EXPECT_THAT(facts, testing::Contains("Chains"));
  EXPECT_THAT(facts, testing::Not(testing::Contains("Starts")));
}

TEST(Page, APageHasTheDataAndNoMarkup) {
  if (!has_report_page()) GTEST_SKIP() << "built without the page";
  ReportOptions options;
  options.title = "</script><script>alert(1)</script>";
  const std::string page = report_page({survey_model()}, options);
  EXPECT_EQ(page.find("alert(1)"), std::string::npos);
  EXPECT_EQ(page.find("@MEDLEY_DATA@"), std::string::npos);
  EXPECT_NE(page.find("default-src 'none'"), std::string::npos);
  EXPECT_EQ(page.find("http-equiv=\"refresh\""), std::string::npos);
}

TEST(Spread, RowsAreEvenlySpread) {
  EXPECT_THAT(report::spread_rows(10, 5), ElementsAre(1, 3, 5, 7, 9));
  EXPECT_THAT(report::spread_rows(3, 5), ElementsAre(0, 1, 2));
  EXPECT_TRUE(report::spread_rows(0, 5).empty());
}

}  // namespace
}  // namespace medley
