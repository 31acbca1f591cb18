// SPDX-License-Identifier: Apache-2.0
// Correlations the model implies, by hand and by drawing from it; violations planted.
#include "evaluate/residuals.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "medley/simulate.hpp"
#include "support/hand_model.hpp"

namespace medley::evaluation {
namespace {

PairFit fit(const model::Parts& parts, const Dataset& data, std::size_t top = 100) {
  PairFit out;
  number_pairs(parts, feature_columns(data, parts.components(), 1e9), data.row_weight, top, 2, out);
  return out;
}

// Two numbers in 40 rows, with the correlation of (-1, 1, -1, 1) and (-1, -1, 1, 3) repeated.
Dataset two_numbers() {
  std::vector<std::vector<double>> rows;
  for (int i = 0; i < 10; ++i) {
    for (const auto& [x, y] :
         {std::pair(-1, -1), std::pair(1, -1), std::pair(-1, 1), std::pair(1, 3)})
      rows.push_back({100.0 + x, 0.001 * y});
  }
  return test::dataset({test::real_block("gaussian", rows, 2)});
}

// Single membership, shares 1/4 and 3/4, means (0, 4) and (1, -1), variances (1, 2) and (3, 3):
// E xy - Ex Ey = 1/4 * 0 * 1 - 3/4 * 4 - 3 * (-1/2) = -1.5
TEST(ResidualCorrelations, ByHand) {
  const Dataset data = two_numbers();
  const auto parts = test::hand_parts("single", {0.25, 0.75}, data);
  test::set_numbers(*parts->blocks[0].family, {{{0, 4}, {1, 2}}, {{1, -1}, {3, 3}}});
  const PairFit got = fit(*parts, data);
  ASSERT_EQ(got.numbers.size(), 1U);
  const double var_x = 0.25 * (1 + 9) + 0.75 * (2 + 1), var_y = 3 + 0.25 * 2.25 + 0.75 * 0.25;
  EXPECT_NEAR(got.numbers[0].expected, -1.5 / std::sqrt(var_x * var_y), 1e-12);
  // mean of y 0.5; variances 1 and 2.75, covariance (1.5 - 1.5 - 0.5 + 2.5) / 4 = 0.5
  const double r = 0.5 / std::sqrt(2.75);
  EXPECT_NEAR(got.numbers[0].observed, r, 1e-9);
  double squares = 0;
  for (const auto& [x, y] :
       {std::pair(-1, -1.5), std::pair(1, -1.5), std::pair(-1, 0.5), std::pair(1, 2.5)}) {
    const double u = x, v = y / std::sqrt(2.75);
    squares += 10 * std::pow(u * v - r / 2 * (u * u + v * v), 2);
  }
  EXPECT_NEAR(got.numbers[0].standard_error, std::sqrt(squares) / 40, 1e-9);
  EXPECT_EQ(got.numbers[0].rows, 40);
}

TEST(ResidualCorrelations, OneProfileImpliesNone) {
  const Dataset data = two_numbers();
  for (const char* membership : {"mixed", "single"}) {
    const auto parts = test::hand_parts(membership, {1.0}, data);
    EXPECT_NEAR(fit(*parts, data).numbers.at(0).expected, 0, 1e-12);
  }
}

TEST(ResidualCorrelations, WhatDoesNotVaryOrHardlyMeetsIsLeftOut) {
  std::vector<std::vector<double>> rows(40, {0.1, 1, std::nan("")});
  for (std::size_t i = 0; i < rows.size(); ++i) rows[i][1] = static_cast<double>(i % 7);
  for (std::size_t i = 0; i < 29; ++i) rows[i][2] = static_cast<double>(i % 5);
  const Dataset data = test::dataset({test::real_block("gaussian", rows, 3)});
  EXPECT_EQ(fit(*test::hand_parts("mixed", {1.0}, data), data).number_pairs, 0U);
}

Model planted(const std::string& preset) {
  PlantOptions options;
  options.model = preset;
  options.components = 3;
  options.columns = {
      {"gaussian", 4, 0}, {"poisson", 2, 0}, {"bernoulli", 3, 0}, {"categorical", 2, 4}};
  options.seed = 3;
  return plant(options);
}

Dataset drawn(const Model& model, std::size_t rows) {
  SimulateOptions options;
  options.rows = rows;
  options.missing = 0.1;
  options.seed = 12;
  return simulate(model, options).data;
}

// 15 pairs of numbers, 30 of a number and an answer: errors in units of their standard error.
TEST(ResidualCorrelations, DataFromTheModelAreWithinChance) {
  for (const char* preset : {"mmnb", "mnb"}) {
    const Model model = planted(preset);
    const Dataset data = drawn(model, 6000);
    const PairFit got = fit(model.parts(), data);
    EXPECT_EQ(got.number_pairs, 45U);
    EXPECT_EQ(got.number_pairs_beyond, 0U) << preset;
    double squares = 0, largest = 0;
    for (const NumberPair& p : got.numbers) {
      if (!p.level.empty()) continue;  // of levels the worst is kept, so not 1 on average
      squares += std::pow((p.observed - p.expected) / p.standard_error, 2);
      largest = std::max(largest, std::abs(p.expected));
    }
    EXPECT_LT(squares, 45) << preset;  // 15 on average; beyond 45 in 1 of 10,000
    EXPECT_GT(squares, 3) << preset;
    EXPECT_GT(largest, 0.1) << "the model implies something";
  }
}

TEST(ResidualCorrelations, ACopiedColumnIsFound) {
  const Model model = planted("mmnb");
  Dataset data = drawn(model, 500);
  const auto number = std::ranges::find(data.blocks, "gaussian", &Block::family);
  ASSERT_NE(number, data.blocks.end());
  for (std::size_t row = 0; row < data.rows; ++row) {
    double second = std::nan("");
    for (std::uint64_t c = number->row_start[row]; c < number->row_start[row + 1]; ++c) {
      if (number->slot[c] == 1) second = number->value[c];
      if (number->slot[c] == 3 && !std::isnan(second)) number->value[c] = second;
    }
  }
  const PairFit got = fit(model.parts(), data);
  EXPECT_EQ(got.numbers[0].a, number->features[1].name);
  EXPECT_EQ(got.numbers[0].b, number->features[3].name);
  EXPECT_NEAR(got.numbers[0].observed, 1, 1e-9);
  EXPECT_TRUE(got.numbers[0].beyond_chance);
}

// A question whose "yes" is the first number above its mean.
TEST(ResidualCorrelations, AnAnswerThatFollowsANumberIsFound) {
  const Model model = planted("mmnb");
  Dataset data = drawn(model, 500);
  const auto number = std::ranges::find(data.blocks, "gaussian", &Block::family);
  const auto answer = std::ranges::find(data.blocks, "bernoulli", &Block::family);
  const double middle = model.parts()
                            .blocks[static_cast<std::size_t>(number - data.blocks.begin())]
                            .family->numbers()
                            ->moments(0, 0)
                            .mean;
  for (std::size_t row = 0; row < data.rows; ++row) {
    const std::uint64_t c = number->row_start[row], d = answer->row_start[row];
    if (c == number->row_start[row + 1] || d == answer->row_start[row + 1]) continue;
    if (number->slot[c] == 0 && answer->slot[d] < 2)
      answer->slot[d] = number->value[c] > middle ? 1 : 0;
  }
  const PairFit got = fit(model.parts(), data);
  EXPECT_EQ(got.numbers[0].a, number->features[0].name);
  EXPECT_EQ(got.numbers[0].b, answer->features[0].name);
  EXPECT_EQ(got.numbers[0].level, answer->features[0].levels[1]);
  EXPECT_TRUE(got.numbers[0].beyond_chance);
}

}  // namespace
}  // namespace medley::evaluation
