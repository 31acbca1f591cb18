// SPDX-License-Identifier: Apache-2.0
// Predictions against Bayes' rule by enumeration (single membership), against the formula with a
// membership computed here (mixed), and draws against the joint distribution they must have.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>

#include "medley/error.hpp"
#include "medley/predict.hpp"
#include "support/exact.hpp"
#include "support/hand_model.hpp"

namespace medley {
namespace {

const std::vector<std::size_t> kLevels = {2, 3, 2, 4};
const std::vector<std::vector<int>> kRows = {
    {0, 1, -1, 3}, {1, -1, -1, 0}, {1, 2, 1, 2}, {-1, -1, -1, -1}, {0, 1, -1, 3}};

// A table of probabilities, drawn once: slots x components.
std::vector<std::vector<double>> random_table(std::size_t components) {
  core::Rng rng(11, 1);
  std::vector<std::vector<double>> table;
  for (const std::size_t levels : kLevels) {
    const std::size_t first = table.size();
    for (std::size_t r = 0; r < levels; ++r) {
      auto& row = table.emplace_back();
      for (std::size_t k = 0; k < components; ++k) row.push_back(0.05 + rng.uniform());
    }
    for (std::size_t k = 0; k < components; ++k) {
      double sum = 0;
      for (std::size_t s = first; s < table.size(); ++s) sum += table[s][k];
      for (std::size_t s = first; s < table.size(); ++s) table[s][k] /= sum;
    }
  }
  return table;
}

struct Survey {
  explicit Survey(const std::string& membership, std::vector<double> weights,
                  const std::string& inference = "standard")
      : data(test::dataset({test::level_block("categorical", kRows, kLevels)})),
        prior(std::move(weights)),
        table(random_table(prior.size())),
        parts(test::hand_parts(membership, prior, data, inference)) {
    test::set_table(*parts->blocks[0].family, table);
  }
  [[nodiscard]] const std::vector<double>& p(std::size_t feature, int level) const {
    return table[data.blocks[0].first_slot[feature] + static_cast<std::size_t>(level)];
  }
  [[nodiscard]] Model model() const { return Model(parts); }

  Dataset data;
  std::vector<double> prior;
  std::vector<std::vector<double>> table;
  std::shared_ptr<model::Parts> parts;
};

// p(codes) of a latent class model, by its definition.
double joint(const Survey& survey, const std::vector<int>& codes) {
  double sum = 0;
  for (std::size_t k = 0; k < survey.prior.size(); ++k) {
    double product = survey.prior[k];
    for (std::size_t f = 0; f < codes.size(); ++f) {
      if (codes[f] >= 0) product *= survey.p(f, codes[f])[k];
    }
    sum += product;
  }
  return sum;
}

// Every cell of the data, observed or not.
std::vector<CellPlace> all_cells() {
  std::vector<CellPlace> cells;
  for (std::size_t row = 0; row < kRows.size(); ++row) {
    for (std::size_t f = 0; f < kLevels.size(); ++f) cells.push_back({row, 0, f});
  }
  return cells;
}

TEST(PredictCells, SingleMembershipIsBayesRuleExactly) {
  const Survey survey("single", {0.5, 0.3, 0.2});
  const auto cells = all_cells();
  const auto predicted = predict_cells(survey.model(), survey.data, cells, {});
  ASSERT_EQ(predicted.size(), cells.size());
  for (std::size_t i = 0; i < cells.size(); ++i) {
    std::vector<int> rest = kRows[cells[i].row];
    rest[cells[i].feature] = -1;
    const double evidence = joint(survey, rest);
    ASSERT_EQ(predicted[i].probability.size(), kLevels[cells[i].feature]);
    for (std::size_t r = 0; r < predicted[i].probability.size(); ++r) {
      rest[cells[i].feature] = static_cast<int>(r);
      EXPECT_NEAR(predicted[i].probability[r], joint(survey, rest) / evidence, 1e-13)
          << "row " << cells[i].row << " feature " << cells[i].feature << " level " << r;
    }
  }
}

// log p(codes) with the membership integrated out.
double mixed_log_joint(const Survey& survey, const std::vector<int>& codes) {
  std::vector<std::vector<double>> rows;
  for (std::size_t f = 0; f < codes.size(); ++f) {
    if (codes[f] < 0) continue;
    std::vector<double>& row = rows.emplace_back();
    for (std::size_t k = 0; k < survey.prior.size(); ++k) row.push_back(survey.p(f, codes[f])[k]);
  }
  return test::exact_log_likelihood(rows, std::vector<int>(rows.size(), 1), survey.prior);
}

// These rows are short, so the membership behind the prediction is exact and so is the prediction.
TEST(PredictCells, MixedMembershipIsBayesRuleExactly) {
  const Survey survey("mixed", {0.4, 0.7, 0.2});
  const auto cells = all_cells();
  const auto predicted = predict_cells(survey.model(), survey.data, cells, {});
  for (std::size_t i = 0; i < cells.size(); ++i) {
    std::vector<int> rest = kRows[cells[i].row];
    rest[cells[i].feature] = -1;
    const double evidence = mixed_log_joint(survey, rest);
    for (std::size_t r = 0; r < predicted[i].probability.size(); ++r) {
      rest[cells[i].feature] = static_cast<int>(r);
      EXPECT_NEAR(predicted[i].probability[r], std::exp(mixed_log_joint(survey, rest) - evidence),
                  1e-12);
    }
  }
}

TEST(PredictCells, NumbersHelpLevelsAndTheOtherWayRound) {
  const Dataset data =
      test::dataset({test::level_block("bernoulli", {{1}, {-1}}, {2}),
                     test::number_block("gaussian", {{test::kNoNumber}, {2.5}}, 1)});
  const auto parts = test::hand_parts("single", {0.3, 0.7}, data);
  test::set_table(*parts->blocks[0].family, {{0.1, 0.8}, {0.9, 0.2}});
  test::set_numbers(*parts->blocks[1].family, {{{-1, 2}, {1, 4}}});
  const auto predicted = predict_cells(Model(parts), data, {{0, 1, 0}, {1, 0, 0}}, {});
  const double r0 = 0.3 * 0.9 / (0.3 * 0.9 + 0.7 * 0.2);  // given "yes"
  const double mean = r0 * -1 + (1 - r0) * 2;
  EXPECT_NEAR(predicted[0].mean, mean, 1e-12);
  EXPECT_NEAR(predicted[0].sd, std::sqrt(r0 * (1 + 1) + (1 - r0) * (4 + 4) - mean * mean), 1e-12);
  EXPECT_FALSE(predicted[0].whole);
  ASSERT_EQ(predicted[0].quantile.size(), 3U);
  const double a = 0.3 * std::exp(-3.5 * 3.5 / 2), b = 0.7 / 2 * std::exp(-0.5 * 0.5 / 8);
  EXPECT_NEAR(predicted[1].probability[1], (a * 0.9 + b * 0.2) / (a + b), 1e-12);
  EXPECT_EQ(predicted[1].mode(), 0U);
}

// The observed cells of row 1 say little about its component, the missing ones would say much:
// draws of the two must show that they belong together.
Survey telling(const std::string& membership) {
  Survey survey(membership, {0.5, 0.3, 0.2});
  survey.table = {{0.5, 0.4, 0.6},   {0.5, 0.6, 0.4},                       // q0
                  {0.9, 0.05, 0.05}, {0.05, 0.9, 0.05}, {0.05, 0.05, 0.9},  // q1
                  {0.95, 0.5, 0.05}, {0.05, 0.5, 0.95},                     // q2
                  {0.25, 0.3, 0.2},  {0.25, 0.3, 0.3},  {0.25, 0.2, 0.2},  {0.25, 0.2, 0.3}};
  test::set_table(*survey.parts->blocks[0].family, survey.table);
  return survey;
}

// How often each pair of levels is drawn for the two missing cells of row 1.
std::vector<double> pair_shares(const Survey& survey, std::size_t draws) {
  PredictOptions options;
  options.draws = draws;
  const auto cells = predict_cells(survey.model(), survey.data, {{1, 0, 1}, {1, 0, 2}}, options);
  std::vector<double> share(6, 0.0);
  for (std::size_t m = 0; m < draws; ++m)
    share[static_cast<std::size_t>(cells[0].draw[m] * 2 + cells[1].draw[m])] +=
        1.0 / static_cast<double>(draws);
  return share;
}

// moment(k, l): the probability that the two cells come from components k and l. Draws that did not
// share their membership would have the product of the two marginals: far enough off to be seen.
void expect_pairs(const Survey& survey,
                  const std::function<double(std::size_t, std::size_t)>& moment) {
  constexpr std::size_t kDraws = 40'000;
  const std::vector<double> drawn = pair_shares(survey, kDraws);
  std::vector<double> truth(6, 0.0);
  for (std::size_t k = 0; k < survey.prior.size(); ++k) {
    for (std::size_t l = 0; l < survey.prior.size(); ++l) {
      for (int pair = 0; pair < 6; ++pair)
        truth[static_cast<std::size_t>(pair)] +=
            moment(k, l) * survey.p(1, pair / 2)[k] * survey.p(2, pair % 2)[l];
    }
  }
  double furthest = 0;  // of the product from the truth, in standard errors
  for (std::size_t pair = 0; pair < 6; ++pair) {
    const double error = std::sqrt(truth[pair] / kDraws);
    EXPECT_NEAR(drawn[pair], truth[pair], 5 * error);
    const double first = truth[pair / 2 * 2] + truth[pair / 2 * 2 + 1];
    const double second = truth[pair % 2] + truth[2 + pair % 2] + truth[4 + pair % 2];
    furthest = std::max(furthest, std::abs(first * second - truth[pair]) / error);
  }
  EXPECT_GT(furthest, 12);
}

TEST(PredictCells, DrawsOfAMixedRowShareTheirMembership) {
  const Survey survey = telling("mixed");
  const std::size_t components = survey.prior.size();
  const double alpha = std::accumulate(survey.prior.begin(), survey.prior.end(), 0.0);
  // Two answers were seen: all ways to give them components i and j, each p(i, j | x), and then
  // E theta_k theta_l of Dirichlet(alpha + n).
  const auto weight = [&](std::size_t i, std::size_t j) {
    return survey.p(0, 1)[i] * survey.p(3, 0)[j] * survey.prior[i] *
           (survey.prior[j] + (i == j ? 1 : 0));
  };
  double evidence = 0;
  for (std::size_t i = 0; i < components; ++i)
    for (std::size_t j = 0; j < components; ++j) evidence += weight(i, j);
  expect_pairs(survey, [&](std::size_t k, std::size_t l) {
    double sum = 0;
    for (std::size_t i = 0; i < components; ++i) {
      for (std::size_t j = 0; j < components; ++j) {
        const double at_k = survey.prior[k] + (i == k ? 1 : 0) + (j == k ? 1 : 0);
        const double at_l = survey.prior[l] + (i == l ? 1 : 0) + (j == l ? 1 : 0);
        sum += weight(i, j) / evidence * at_k * (at_l + (k == l ? 1 : 0)) /
               ((alpha + 2) * (alpha + 3));
      }
    }
    return sum;
  });
}

TEST(PredictCells, DrawsOfASingleRowShareTheirComponent) {
  const Survey survey = telling("single");
  const double evidence = joint(survey, kRows[1]);
  expect_pairs(survey, [&](std::size_t k, std::size_t l) {
    return k == l ? survey.prior[k] * survey.p(0, 1)[k] * survey.p(3, 0)[k] / evidence : 0.0;
  });
}

TEST(PredictCells, ADrawDependsOnItsOwnPlaceAlone) {
  const Survey survey("mixed", {0.3, 0.2, 0.1});
  PredictOptions options;
  options.draws = 50;
  options.threads = 1;
  const auto all = predict_cells(survey.model(), survey.data, all_cells(), options);
  options.draws = 20;
  options.threads = 3;
  const auto some = predict_cells(survey.model(), survey.data, {{3, 0, 2}, {1, 0, 1}}, options);
  const std::vector<const CellPrediction*> same = {&all[3 * 4 + 2], &all[1 * 4 + 1]};
  for (std::size_t i = 0; i < 2; ++i) {
    EXPECT_EQ(some[i].probability, same[i]->probability);
    EXPECT_EQ(some[i].draw, std::vector<double>(same[i]->draw.begin(), same[i]->draw.begin() + 20));
  }
  // rows 0 and 4 are equal, but not the same
  EXPECT_EQ(all[2].probability, all[4 * 4 + 2].probability);
  EXPECT_NE(all[2].draw, all[4 * 4 + 2].draw);
  options.seed = 2;
  EXPECT_NE(predict_cells(survey.model(), survey.data, {{3, 0, 2}}, options)[0].draw, some[0].draw);
}

TEST(PredictCells, ThreadsDoNotChangeABit) {
  for (const char* inference : {"standard", "fast"}) {
    const Survey survey("mixed", {0.3, 0.2, 0.1}, inference);
    std::vector<CellPlace> many;
    for (int copy = 0; copy < 30; ++copy) {
      for (const CellPlace& place : all_cells()) many.push_back(place);
    }
    PredictOptions options;
    options.draws = 3;
    options.threads = 1;
    const auto one = predict_cells(survey.model(), survey.data, many, options);
    options.threads = 3;
    const auto three = predict_cells(survey.model(), survey.data, many, options);
    for (std::size_t i = 0; i < many.size(); ++i) {
      EXPECT_EQ(one[i].probability, three[i].probability);
      EXPECT_EQ(one[i].draw, three[i].draw);
    }
  }
}

TEST(PredictCells, ReplicatesAreLeftOutTogether) {
  const Survey survey("single", {0.5, 0.3, 0.2});
  Dataset twice = survey.data;
  Block& block = twice.blocks[0];
  twice.rows = 2;  // row 0 twice answers feature 0, row 1 does not
  block.slot = {0, 0, 3, 8, 3, 8};
  block.row_start = {0, 4, 6};
  const auto cells = predict_cells(survey.model(), twice, {{0, 0, 0}, {1, 0, 0}}, {});
  EXPECT_EQ(cells[0].probability, cells[1].probability);
}

TEST(PredictCells, WhatCannotBePredictedIsRefused) {
  const Survey survey("single", {0.5, 0.3, 0.2});
  const Model model = survey.model();
  for (const CellPlace& place : {CellPlace{5, 0, 0}, CellPlace{0, 1, 0}, CellPlace{0, 0, 4}})
    EXPECT_THROW((void)predict_cells(model, survey.data, {place}, {}), InputError);
  PredictOptions options;
  options.quantiles = {1.0};
  EXPECT_THROW((void)predict_cells(model, survey.data, {}, options), InputError);
  const Dataset words = test::dataset({test::token_block("words", {{1, 2}})});
  const auto parts = test::hand_parts("mixed", {1, 1}, words);
  EXPECT_THROW((void)predict_cells(Model(parts), words, {{0, 0, 0}}, {}), InputError);
  EXPECT_THROW((void)predict_cells(model, words, {}, {}), InputError);
}

}  // namespace
}  // namespace medley
