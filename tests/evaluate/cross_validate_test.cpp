// SPDX-License-Identifier: Apache-2.0
// Cross-validation: the folds, and its scores against fits and evaluations done by hand.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "data/select_rows.hpp"
#include "medley/error.hpp"
#include "medley/evaluate.hpp"
#include "medley/fit.hpp"
#include "medley/simulate.hpp"

namespace medley {
namespace {

Dataset drawn(std::size_t rows) {
  PlantOptions options;
  options.components = 2;
  options.columns = {{"categorical", 5, 3}};
  options.separation = 2;
  SimulateOptions drawing;
  drawing.rows = rows;
  drawing.missing = 0.1;
  return simulate(plant(options), drawing).data;
}

FitOptions fitting() {
  FitOptions options;
  options.components = 2;
  options.model = "mnb";
  options.seed = 3;
  return options;
}

TEST(CrossValidate, FoldsAreBalancedAndDependOnTheSeedAlone) {
  const std::vector<std::size_t> fold = fold_of_rows(103, 10, 5);
  for (std::size_t f = 0; f < 10; ++f) {
    const auto size = std::ranges::count(fold, f);
    EXPECT_TRUE(size == 10 || size == 11) << size;
  }
  EXPECT_EQ(fold, fold_of_rows(103, 10, 5));
  EXPECT_NE(fold, fold_of_rows(103, 10, 6));
  EXPECT_FALSE(std::ranges::is_sorted(fold));
}

TEST(CrossValidate, ScoresAreThoseOfEachFoldByHand) {
  const Dataset data = drawn(90);
  const CrossValidation all = cross_validate(data, fitting(), 3, {});
  const std::vector<std::size_t> fold_of = fold_of_rows(90, 3, 3);
  std::vector<double> train, test, above;
  for (std::size_t f = 0; f < 3; ++f) {
    std::vector<std::size_t> inside, outside;
    for (std::size_t i = 0; i < 90; ++i) (fold_of[i] == f ? inside : outside).push_back(i);
    const Dataset rest = data::select_rows(data, outside), held = data::select_rows(data, inside);
    const Model model = fit(rest, fitting());
    train.push_back(evaluate(model, rest, {}).perplexity);
    const Evaluation scores = evaluate(model, held, {});
    test.push_back(scores.perplexity);
    above.push_back((scores.log_likelihood - scores.baseline) / scores.observations);
  }
  const auto mean = [](const std::vector<double>& v) { return (v[0] + v[1] + v[2]) / 3; };
  const auto sd = [&](const std::vector<double>& v) {
    double squares = 0;
    for (const double x : v) squares += (x - mean(v)) * (x - mean(v));
    return std::sqrt(squares / 2);
  };
  EXPECT_EQ(all.folds, 3U);
  EXPECT_EQ(all.estimator, Estimator::exact);
  EXPECT_NEAR(all.train.perplexity.mean, mean(train), 1e-12);
  EXPECT_NEAR(all.test.perplexity.mean, mean(test), 1e-12);
  EXPECT_NEAR(all.test.perplexity.sd, sd(test), 1e-12);
  EXPECT_NEAR(all.test.above_baseline.mean, mean(above), 1e-12);
  EXPECT_GT(all.test.perplexity.mean, all.train.perplexity.mean);
}

// Rows that nobody else resembles: only smoothing gives their level any probability. If the test
// rows leaked into the fit, their level would have a share of 1/30 instead.
TEST(CrossValidate, ALevelOfTheTestRowsAloneIsNew) {
  Dataset data = drawn(30);
  Block& block = data.blocks[0];
  block.features.push_back({"rare", {"a", "b"}});
  const std::uint32_t first = block.first_slot.back();
  block.first_slot.push_back(first + 2);
  Block grown = block.shape();
  for (std::size_t row = 0; row < 30; ++row) {
    for (std::uint64_t c = block.row_start[row]; c < block.row_start[row + 1]; ++c)
      grown.slot.push_back(block.slot[c]);
    grown.slot.push_back(first + (row == 7 ? 1 : 0));
    grown.row_start.push_back(grown.slot.size());
  }
  data.blocks[0] = grown;
  FitOptions options = fitting();
  options.components = 1;
  options.smoothing = 0.001;
  const std::size_t folds = 30;
  const CrossValidation with = cross_validate(data, options, folds, {});
  // 29 rows say "a": p(b) = 0.001 / 29.002, and the 29 other folds have p(a) of nearly 28 in 29
  Dataset without = drawn(30);
  const CrossValidation plain = cross_validate(without, options, folds, {});
  const double rare = std::log(0.001 / 29.002), common = std::log(28.001 / 29.002);
  EXPECT_NEAR(with.test.log_likelihood.mean * 30,
              plain.test.log_likelihood.mean * 30 + rare + 29 * common, 1e-6);
}

TEST(CrossValidate, TruthIsComparedWithinTheFold) {
  Dataset data = drawn(60);
  data.kept.push_back({"class", {"x", "y"}, {}});
  for (std::size_t i = 0; i < 60; ++i) data.kept[0].code.push_back(static_cast<int>(i % 2));
  EvaluateOptions scoring;
  scoring.truth = {"class"};
  const CrossValidation all = cross_validate(data, fitting(), 5, scoring);
  ASSERT_EQ(all.test.truth.size(), 1U);
  EXPECT_EQ(all.test.truth[0].column, "class");
  EXPECT_GE(all.test.truth[0].micro_precision.mean, 0.5);  // a majority is at least half of two
  EXPECT_LE(all.test.truth[0].micro_precision.mean, 1.0);
  scoring.truth = {"nothing"};
  EXPECT_THROW((void)cross_validate(data, fitting(), 5, scoring), InputError);
}

TEST(CrossValidate, StopsWhenAskedAndRefusesTooManyFolds) {
  const std::atomic<bool> stop{true};
  FitHooks hooks;
  hooks.stop = &stop;
  EXPECT_TRUE(cross_validate(drawn(30), fitting(), 3, {}, hooks).interrupted);
  EXPECT_THROW((void)cross_validate(drawn(30), fitting(), 1, {}), InputError);
  EXPECT_THROW((void)cross_validate(drawn(30), fitting(), 31, {}), InputError);
}

}  // namespace
}  // namespace medley
