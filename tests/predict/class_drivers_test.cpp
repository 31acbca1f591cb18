// SPDX-License-Identifier: Apache-2.0
// Drivers against predictions for rows from which the cell was really taken out.
#include <gtest/gtest.h>

#include <cmath>
#include <utility>

#include "medley/predict.hpp"
#include "support/labelled.hpp"

namespace medley {
namespace {

const std::vector<std::vector<double>> kAnswers = {
    {0.9, 0.2, 0.5}, {0.1, 0.8, 0.5}, {0.6, 0.1, 0.2}, {0.3, 0.3, 0.2}, {0.1, 0.6, 0.6}};
const std::vector<std::vector<double>> kWords = {{0.7, 0.2, 0.1}, {0.2, 0.3, 0.6}, {0.1, 0.5, 0.3}};
const std::vector<std::vector<int>> kLevelCells = {{0, 2}, {1, -1}, {-1, 0}, {-1, -1}};
const std::vector<std::vector<int>> kWordCells = {{2, 0, 1}, {0, 1, 4}, {0, 0, 0}, {0, 0, 0}};
const std::vector<std::vector<int>> kNoLevels(4, {-1, -1});
const std::vector<std::vector<int>> kNoWords(4, {0, 0, 0});

Dataset rows(const std::vector<std::vector<int>>& levels,
             const std::vector<std::vector<int>>& words) {
  return test::dataset(
      {test::level_block("categorical", levels, {2, 3}), test::token_block("words", words)});
}

Model model_of(const Dataset& data, const std::string& membership, const std::string& inference) {
  auto parts = test::hand_parts(membership, {0.5, 0.3, 0.2}, data, inference);
  test::set_table(*parts->blocks[0].family, kAnswers);
  test::set_table(*parts->blocks[1].family, kWords);
  test::set_head(*parts, {{0.90, 0.05, 0.30}, {0.08, 0.15, 0.30}, {0.02, 0.80, 0.40}});
  return Model(parts);
}

double log_odds(double p) {
  return std::log(p) - std::log1p(-p);
}

TEST(ClassDrivers, EffectsAreWhatLeavingOutAndPuttingInChange) {
  const Dataset data = rows(kLevelCells, kWordCells);
  for (const auto& [membership, inference] :
       {std::pair("single", "standard"), std::pair("mixed", "fast")}) {
    const Model model = model_of(data, membership, inference);
    const ClassProbabilities all = predict_classes(model, data);
    const std::vector<ClassDrivers> found = explain_classes(model, data, 10);
    std::size_t seen = 0;
    for (std::size_t row = 0; row < data.rows; ++row) {
      EXPECT_EQ(found[row].predicted, all.top(row));
      const double with = log_odds(all.row(row)[all.top(row)]);
      for (const CellDriver& cell : found[row].cells) {
        auto levels = kLevelCells, one_level = kNoLevels;
        auto words = kWordCells, one_word = kNoWords;
        if (cell.block == 0) {
          std::swap(levels[row][cell.feature], one_level[row][cell.feature]);
        } else {
          std::swap(words[row][cell.slot], one_word[row][cell.slot]);
        }
        const ClassProbabilities rest = predict_classes(model, rows(levels, words));
        const ClassProbabilities one = predict_classes(model, rows(one_level, one_word));
        const std::size_t h = all.top(row);
        EXPECT_NEAR(cell.effect, with - log_odds(rest.row(row)[h]), 1e-9);
        EXPECT_NEAR(cell.alone, log_odds(one.row(row)[h]) - log_odds(all.row(3)[h]), 1e-9);
        ++seen;
      }
    }
    EXPECT_EQ(seen, 8U) << "every cell of every row";
  }
}

TEST(ClassDrivers, ProfilesAddUpToTheDistanceFromTheOverallShare) {
  const Dataset data = rows(kLevelCells, kWordCells);
  for (const auto& [membership, inference] :
       {std::pair("single", "standard"), std::pair("mixed", "fast")}) {
    const Model model = model_of(data, membership, inference);
    const ClassProbabilities all = predict_classes(model, data);
    const std::vector<ClassDrivers> found = explain_classes(model, data, 10);
    for (std::size_t row = 0; row < data.rows; ++row) {
      const ClassDrivers& drivers = found[row];
      ASSERT_EQ(drivers.profiles.size(), 3U);
      // The last row is empty: what it is given is the overall share.
      EXPECT_NEAR(drivers.overall, all.row(3)[drivers.predicted], 1e-12);
      double sum = 0, shares = 0;
      for (const ProfileDriver& each : drivers.profiles) {
        sum += each.effect;
        shares += each.share;
      }
      EXPECT_NEAR(sum, drivers.probability - drivers.overall, 1e-12);
      EXPECT_NEAR(shares, 1, 1e-12);
      EXPECT_NEAR(drivers.probability, all.row(row)[drivers.predicted], 1e-15);
    }
  }
}

TEST(ClassDrivers, StrongestFirstAndNoMoreThanAskedFor) {
  const Dataset data = rows(kLevelCells, kWordCells);
  const Model model = model_of(data, "mixed", "standard");
  const ClassDrivers all = explain_classes(model, data, 10, 1)[0];
  const ClassDrivers two = explain_classes(model, data, 2, 3)[0];
  ASSERT_EQ(all.cells.size(), 4U);
  ASSERT_EQ(two.cells.size(), 2U);
  ASSERT_EQ(two.profiles.size(), 2U);
  const auto strength = [&](std::size_t i) {
    return std::abs(all.cells[i].effect + all.cells[i].alone);
  };
  for (std::size_t i = 1; i < all.cells.size(); ++i) EXPECT_GE(strength(i - 1), strength(i));
  for (std::size_t i = 0; i < 2; ++i) {
    EXPECT_EQ(two.cells[i].effect, all.cells[i].effect);
    EXPECT_EQ(two.profiles[i].effect, all.profiles[i].effect);
  }
  EXPECT_GE(std::abs(all.profiles[0].effect), std::abs(all.profiles[1].effect));
}

TEST(ClassDrivers, CellsSayWhereTheyStand) {
  const Dataset data = test::dataset({test::number_block("gaussian", {{1.5, 7.0}}, 2)});
  auto parts = test::hand_parts("single", {0.5, 0.5}, data);
  test::set_numbers(*parts->blocks[0].family, {{{0, 0}, {1, 1}}, {{7, 4}, {1, 1}}});
  test::set_head(*parts, {{0.9, 0.1}, {0.1, 0.9}});
  const ClassDrivers found = explain_classes(Model(parts), data, 1)[0];
  ASSERT_EQ(found.cells.size(), 1U);
  EXPECT_EQ(found.cells[0].feature, 1U);
  EXPECT_EQ(found.cells[0].value, 7.0);
  EXPECT_GT(found.cells[0].effect, 1);
  EXPECT_EQ(found.predicted, 0U);
}

TEST(ClassDrivers, AnImpossibleCellHasAFiniteEffect) {
  const Dataset data = test::dataset({test::level_block("categorical", {{0, 1}}, {2, 2})});
  auto parts = test::hand_parts("single", {0.5, 0.5}, data);
  test::set_table(*parts->blocks[0].family, {{1, 0}, {0, 1}, {0.5, 0.25}, {0.5, 0.75}});
  test::set_head(*parts, {{0.9, 0.2}, {0.1, 0.8}});
  const ClassDrivers found = explain_classes(Model(parts), data, 2)[0];
  ASSERT_EQ(found.cells.size(), 2U);
  EXPECT_EQ(found.cells[0].feature, 0U);
  // Without it: r = (0.4, 0.6), p = 0.4 * 0.9 + 0.6 * 0.2; with it: 0.9.
  EXPECT_NEAR(found.cells[0].effect, log_odds(0.9) - log_odds(0.48), 1e-6);
  EXPECT_NEAR(found.cells[1].effect, 0, 1e-6);
}

// 300 words of one component: leaving out one changes nothing that a double can show.
TEST(ClassDrivers, LongRowsStillTellWordsApart) {
  const Dataset data = test::dataset({test::token_block("words", {{100, 1, 100, 1}})});
  auto parts = test::hand_parts("single", {0.5, 0.5}, data);
  test::set_table(*parts->blocks[0].family, {{0.4, 0.1}, {0.3, 0.1}, {0.2, 0.1}, {0.1, 0.7}});
  test::set_head(*parts, {{0.9, 0.2}, {0.1, 0.8}});
  const ClassDrivers found = explain_classes(Model(parts), data, 4)[0];
  EXPECT_EQ(found.predicted, 0U);
  EXPECT_NEAR(found.cells[3].effect, 0, 1e-12);
  // The last word speaks against; of the two that occur once each it is the more telling.
  EXPECT_EQ(found.cells[2].slot, 3U);
  EXPECT_LT(found.cells[2].alone, 0);
  EXPECT_EQ(found.cells[3].slot, 1U);
  // r = (0.75, 0.25) given word 1 alone.
  EXPECT_NEAR(found.cells[3].alone, log_odds(0.75 * 0.9 + 0.25 * 0.2) - log_odds(0.55), 1e-12);
}

}  // namespace
}  // namespace medley
