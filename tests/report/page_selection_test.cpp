// SPDX-License-Identifier: Apache-2.0
// The choice of K on a page: which fit is shown, which profile leads to which, and what colour it
// has.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "medley/error.hpp"
#include "medley/report.hpp"
#include "report/hand_made.hpp"
#include "report/page_parts.hpp"

namespace medley {
namespace {

using Json = nlohmann::ordered_json;

/// Profiles that say yes to a question with these probabilities.
Model saying_yes(const std::vector<double>& yes) {
  std::vector<double> no;
  for (const double p : yes) no.push_back(1 - p);
  std::vector<model::ModelBlock> blocks;
  blocks.push_back(
      hand_made::block("survey", "categorical", {{"q", {"no", "yes"}}}, {no, yes}, {50, 50}));
  return hand_made::model(std::move(blocks),
                          std::vector<double>(yes.size(), 1.0 / static_cast<double>(yes.size())));
}

SelectedModels two_and_three() {
  // at K = 3 the order is another, and 0.5 is new
  return {R"({"candidates": [], "verdicts": []})",
          {{2, saying_yes({0.9, 0.1})}, {3, saying_yes({0.12, 0.5, 0.88})}},
          -1,
          0};
}

TEST(PageSelection, ColoursFollowProfilesAndLinksLeadToTheLikest) {
  const Json page = report::page_selection(two_and_three());
  const Json& fits = page.at("fits");
  EXPECT_EQ(fits.at(0).at("colours"), Json({0, 1}));
  EXPECT_EQ(fits.at(1).at("colours"), Json({1, 2, 0}));
  const Json& links = fits.at(0).at("links");
  ASSERT_EQ(links.size(), 3U);
  EXPECT_EQ(links.at(0).at("from"), 1);  // 0.12 comes from 0.1
  EXPECT_EQ(links.at(2).at("from"), 0);  // 0.88 from 0.9
  const double bhattacharyya = std::sqrt(0.12 * 0.1) + std::sqrt(0.88 * 0.9);
  EXPECT_NEAR(links.at(0).at("similarity").get<double>(), 1 - std::sqrt(1 - bhattacharyya), 1e-12);
}

TEST(PageSelection, TheFitThatIsShownHasItsOwnColours) {
  SelectedModels selection = two_and_three();
  selection.chosen = 1;
  const Json fits = report::page_selection(selection).at("fits");
  EXPECT_EQ(fits.at(1).at("colours"), Json({0, 1, 2}));
  EXPECT_EQ(fits.at(0).at("colours"), Json({2, 0}));
}

class SelectedFolder : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = std::filesystem::temp_directory_path() /
              ("medley-selected-" +
               std::string(testing::UnitTest::GetInstance()->current_test_info()->name()));
    std::filesystem::create_directories(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }
  void write(const std::string& text) const { std::ofstream(folder_ / "select.json") << text; }
  std::string load_problem(std::size_t components = 0) const {
    try {
      (void)load_selected(folder_.string(), components);
    } catch (const InputError& error) {
      return error.problems().front().text();
    }
    return "";
  }
  std::filesystem::path folder_;
};

constexpr const char* kResult = R"({"format": "medley selection", "result": {
  "candidates": [{"k": 2, "model": "k02.medley", "restarts": 3, "found_again": 2, "scores": []},
                 {"k": 3, "model": "k03.medley", "restarts": 3, "found_again": 1, "scores": []}],
  "verdicts": [{"criterion": "dic", "best": {"k": 3}, "mixed": false},
               {"criterion": "cv", "best": {"k": 3}, "one_standard_error": {"k": 2}}]}})";

TEST_F(SelectedFolder, WhatIsNoFinishedSelectionIsRefused) {
  EXPECT_THAT(load_problem(), testing::HasSubstr("no select.json"));
  write("{");
  EXPECT_THAT(load_problem(), testing::HasSubstr("is damaged"));
  write("{\"fits\": {}}");
  EXPECT_THAT(load_problem(), testing::HasSubstr("was not finished"));
  write(R"({"result": {"candidates": [{"k": "two"}], "verdicts": []}})");
  EXPECT_THAT(load_problem(), testing::HasSubstr("is damaged"));
  write(kResult);
  EXPECT_THAT(load_problem(7), testing::HasSubstr("no fit with 7 components"));
}

}  // namespace
}  // namespace medley
