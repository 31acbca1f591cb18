// SPDX-License-Identifier: Apache-2.0
// Expected counts of answer patterns: printed results, sums to n, closed forms.
#include "evaluate/patterns.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "support/hand_model.hpp"

namespace medley::evaluation {
namespace {

AbsoluteFitOptions from(double least_count) {
  AbsoluteFitOptions options;
  options.least_count = least_count;
  return options;
}

// yes[question][component]
Model with(const std::vector<std::vector<double>>& yes, const std::string& membership,
           const std::vector<double>& prior, const Dataset& data) {
  const auto parts = test::hand_parts(membership, prior, data);
  std::vector<std::vector<double>> table;
  for (const auto& question : yes) {
    table.emplace_back();
    for (const double p : question) table.back().push_back(1 - p);
    table.push_back(question);
  }
  test::set_table(*parts->blocks[0].family, table);
  return Model(parts);
}

PatternFit fit(const Model& model, const Dataset& data, const AbsoluteFitOptions& options) {
  return pattern_fit(model::ModelOnData(model, data), data, options);
}

std::string text(const AnswerPattern& pattern) {
  return std::accumulate(pattern.levels.begin(), pattern.levels.end(), std::string());
}

const std::vector<std::vector<double>> kYes = {
    {0.05, 0.6, 0.9}, {0.1, 0.2, 0.95}, {0.02, 0.7, 0.8}};
const std::vector<double> kAlpha = {0.3, 0.4, 0.2};

// The printed results of the test vector "gom" (tests/oracle/vectors).
TEST(Patterns, EqualThePrintedVector) {
  Dataset data = test::dataset({test::level_block(
      "bernoulli", {{0, 0, 0}, {0, 0, 0}, {1, 0, 1}, {1, 1, 1}, {0, 0, 0}, {1, 0, 0}, {1, 1, 1}},
      {2, 2, 2})});
  for (Feature& feature : data.blocks[0].features) feature.levels = {"0", "1"};
  const PatternFit got = fit(with(kYes, "mixed", kAlpha, data), data, from(1));
  ASSERT_EQ(got.pattern.size(), 4U);
  const std::vector<std::string> patterns = {"000", "111", "101", "100"};
  const double observed[] = {3, 2, 1, 1}, expected[] = {1.76307, 0.962464, 1.11015, 0.836341};
  double sum = 7;
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_EQ(text(got.pattern[i]), patterns[i]);
    EXPECT_EQ(got.pattern[i].observed, observed[i]);
    EXPECT_NEAR(got.pattern[i].expected, expected[i], 5e-6 * expected[i]);
    EXPECT_EQ(got.pattern[i].expected_error, 0);
    sum -= expected[i];
  }
  EXPECT_NEAR(got.sum_absolute, 2.27263, 5e-6);
  EXPECT_NEAR(got.pattern[0].residual, (3 - 1.76307) / std::sqrt(1.76307), 1e-5);
  EXPECT_EQ(got.worst, 1U);
  EXPECT_EQ(got.estimator, Estimator::exact);
  EXPECT_EQ(got.rest_observed, 0);
  EXPECT_NEAR(got.rest_expected, sum, 1e-4);
}

// Every pattern of two questions with 2 and 3 levels, each once: the expected counts sum to n.
TEST(Patterns, ExpectedCountsSumToTheRows) {
  const Dataset data = test::dataset(
      {test::level_block("categorical", {{0, 0}, {0, 1}, {0, 2}, {1, 0}, {1, 1}, {1, 2}}, {2, 3})});
  for (const char* membership : {"mixed", "single"}) {
    for (const std::size_t components : {1U, 2U}) {
      std::vector<double> prior = {0.3, 0.7};
      prior.resize(components);
      if (components == 1) prior[0] = 1;
      const auto parts = test::hand_parts(membership, prior, data);
      std::vector<std::vector<double>> table = {
          {0.2, 0.9}, {0.8, 0.1}, {0.5, 0.1}, {0.3, 0.1}, {0.2, 0.8}};
      for (auto& slot : table) slot.resize(components);
      test::set_table(*parts->blocks[0].family, table);
      const PatternFit got = fit(Model(parts), data, from(1));
      double sum = 0;
      for (const AnswerPattern& p : got.pattern) sum += p.expected;
      EXPECT_NEAR(sum, 6, 1e-10) << membership << components;
      EXPECT_NEAR(got.rest_expected, 0, 1e-10);
      if (components == 1) {
        EXPECT_NEAR(got.pattern[1].expected, 6 * 0.2 * 0.3, 1e-12);
      }
    }
  }
}

// Rows that lack an answer, or give one twice, are left out; numbers beside do not matter; a weight
// counts a row that often.
TEST(Patterns, OnlyCompleteRowsCount) {
  Dataset data = test::dataset(
      {test::level_block("bernoulli", {{0, 1, 0}, {0, 1, 0}, {1, -1, 0}, {1, 1, 1}, {0, 0, 1}},
                         {2, 2, 2}),
       test::real_block("gaussian", {{1.5}, {2}, {3}, {std::nan("")}, {5}}, 1)});
  Block& block = data.blocks[0];
  // the last row answers the first question twice and the second not at all
  block.slot[block.row_start[4] + 1] = 1;
  data.row_weight = {2, 1, 1, 0.5, 1};
  const auto parts = test::hand_parts("mixed", kAlpha, data);
  test::set_table(*parts->blocks[0].family, {{0.95, 0.4, 0.1},
                                             {0.05, 0.6, 0.9},
                                             {0.9, 0.8, 0.05},
                                             {0.1, 0.2, 0.95},
                                             {0.98, 0.3, 0.2},
                                             {0.02, 0.7, 0.8}});
  const PatternFit got = fit(Model(parts), data, from(1));
  EXPECT_EQ(got.incomplete, 2U);
  EXPECT_EQ(got.rows, 3.5);
  EXPECT_EQ(got.distinct, 2U);
  ASSERT_EQ(got.pattern.size(), 1U);
  EXPECT_EQ(got.pattern[0].observed, 3);
  EXPECT_EQ(got.rest_observed, 0.5);
  // the second pattern is 111, which the printed vector expects 0.962464 times in 7 rows
  const PatternFit both = fit(Model(parts), data, from(0.1));
  ASSERT_EQ(both.pattern.size(), 2U);
  EXPECT_NEAR(both.pattern[1].expected, 3.5 * 0.962464 / 7, 1e-6);
  block.weight.assign(block.cells(), 1.0F);
  block.weight[1] = 2;  // the first row gives an answer twice over
  EXPECT_EQ(fit(Model(parts), data, from(1)).incomplete, 3U);
}

// 60 questions and 10 profiles are too many for the lattice. Equal profiles make a product of it.
TEST(Patterns, LongRowsAreSampled) {
  const std::vector<int> answers(60, 1);
  Dataset data =
      test::dataset({test::level_block("bernoulli", {answers, answers, answers, answers, answers},
                                       std::vector<std::size_t>(60, 2))});
  const PatternFit got =
      fit(with(std::vector<std::vector<double>>(60, std::vector<double>(10, 0.9)), "mixed",
               std::vector<double>(10, 0.2), data),
          data, from(0));
  EXPECT_EQ(got.estimator, Estimator::importance);
  ASSERT_EQ(got.pattern.size(), 1U);
  const AnswerPattern& p = got.pattern[0];
  EXPECT_NEAR(p.expected, 5 * std::pow(0.9, 60), 5 * p.expected_error);
  EXPECT_GT(p.expected_error, 0);
  EXPECT_LT(p.expected_error, 0.3 * p.expected);
  EXPECT_EQ(got.least_count, 5);
}

TEST(Patterns, AboutTwentyFiveAreListedAndNoneBelowFive) {
  std::vector<std::vector<int>> rows;
  for (int pattern = 0; pattern < 64; ++pattern) {
    std::vector<int> row;
    for (int bit = 0; bit < 6; ++bit) row.push_back((pattern >> bit) & 1);
    for (int copy = 0; copy <= pattern; ++copy) rows.push_back(row);
  }
  const Dataset data = test::dataset({test::level_block("bernoulli", rows, {2, 2, 2, 2, 2, 2})});
  const Model model = with(std::vector<std::vector<double>>(6, {0.5}), "single", {1.0}, data);
  const PatternFit got = fit(model, data, from(0));
  EXPECT_EQ(got.pattern.size(), 25U);
  EXPECT_EQ(got.least_count, 40);
  EXPECT_EQ(got.pattern[0].observed, 64);
  EXPECT_NEAR(got.pattern[0].expected, 64 * 65 / 2.0 / 64, 1e-9);
  const Dataset few = test::dataset({test::level_block("bernoulli", {{0}, {0}, {1}}, {2})});
  EXPECT_TRUE(fit(with({{0.5}}, "single", {1.0}, few), few, from(0)).pattern.empty());
}

}  // namespace
}  // namespace medley::evaluation
