// SPDX-License-Identifier: Apache-2.0
// Scores of hidden cells against scores worked out here from the definition, calibration on data
// drawn from the model, and noise.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <random>

#include "medley/error.hpp"
#include "medley/predict.hpp"
#include "support/hand_model.hpp"

namespace medley {
namespace {

const std::vector<double> kPi = {0.6, 0.4};
const std::vector<double> kYes = {0.9, 0.2};  // of every item
constexpr std::size_t kItems = 5, kNumbers = 3;
const std::vector<double> kMean = {-1, 2}, kVariance = {1, 4};

// Latent classes with yes/no items, gaussian columns and a count; and rows drawn from them with a
// generator of their own.
struct Planted {
  explicit Planted(std::size_t rows, unsigned seed = 1) {
    std::mt19937_64 random(seed);
    std::uniform_real_distribution<double> uniform;
    std::normal_distribution<double> normal;
    std::vector<std::vector<int>> items;
    std::vector<std::vector<double>> numbers, counts;
    for (std::size_t row = 0; row < rows; ++row) {
      const std::size_t k = uniform(random) < kPi[0] ? 0 : 1;
      for (std::size_t f = 0; f < kItems; ++f) {
        if (f == 0) items.emplace_back();
        items.back().push_back(uniform(random) < kYes[k] ? 1 : 0);
      }
      numbers.emplace_back();
      for (std::size_t f = 0; f < kNumbers; ++f)
        numbers.back().push_back(kMean[k] + std::sqrt(kVariance[k]) * normal(random));
      counts.push_back(
          {static_cast<double>(std::poisson_distribution<int>(k == 0 ? 2.0 : 9.0)(random))});
    }
    data =
        test::dataset({test::level_block("bernoulli", items, std::vector<std::size_t>(kItems, 2)),
                       test::number_block("gaussian", numbers, kNumbers),
                       test::number_block("poisson", counts, 1)});
    parts = test::hand_parts("single", kPi, data);
    for (std::size_t f = 0; f < kItems; ++f) {
      table.push_back({1 - kYes[0], 1 - kYes[1]});
      table.push_back(kYes);
    }
    test::set_table(*parts->blocks[0].family, table);
    test::set_numbers(*parts->blocks[1].family, {kNumbers, {kMean, kVariance}});
    test::set_numbers(*parts->blocks[2].family, {{{2, 9}}});
    test::set_table(*parts->blocks[0].marginal,
                    std::vector<std::vector<double>>(2 * kItems, {0.5}));
    test::set_numbers(*parts->blocks[1].marginal, {kNumbers, {{0.2}, {4.5}}});
    test::set_numbers(*parts->blocks[2].marginal, {{{5}}});
  }
  std::vector<std::vector<double>> table;
  Dataset data;
  std::shared_ptr<model::Parts> parts;
};

double normal_density(double x, double mean, double variance) {
  return std::exp(-(x - mean) * (x - mean) / (2 * variance)) /
         std::sqrt(2 * std::numbers::pi * variance);
}

double poisson_probability(double x, double rate) {
  return std::exp(x * std::log(rate) - rate - std::lgamma(x + 1));
}

// f(cell | component k) of a cell of Planted.
double density(const Block& block, std::size_t c, std::size_t k) {
  if (block.family == "bernoulli") return block.slot[c] % 2 == 1 ? kYes[k] : 1 - kYes[k];
  if (block.family == "poisson") return poisson_probability(block.value[c], k == 0 ? 2 : 9);
  return normal_density(block.value[c], kMean[k], kVariance[k]);
}

// P(first class | the row's cells), by Bayes' rule.
double first_class(const Dataset& data, std::size_t row) {
  double a = kPi[0], b = kPi[1];
  for (const Block& block : data.blocks) {
    for (std::uint64_t c = block.row_start[row]; c < block.row_start[row + 1]; ++c) {
      a *= density(block, c, 0);
      b *= density(block, c, 1);
    }
  }
  return a / (a + b);
}

TEST(Holdout, ScoresAreThoseOfTheDefinition) {
  const Planted planted(200);
  HoldoutOptions options;
  options.share = 0.3;
  const Holdout holdout = holdout_cells(Model(planted.parts), planted.data, options);
  const HiddenCells cells = hide_cells(planted.data, options.share, options.seed);
  ASSERT_EQ(holdout.scores.size(), 4U);
  EXPECT_EQ(holdout.scores[0].what, "all");
  double all = 0;
  std::size_t count = 0;
  for (std::size_t b = 0; b < 3; ++b) {
    const Block& hidden = cells.hidden.blocks[b];
    double loss = 0, baseline = 0, hits = 0, squares = 0, baseline_squares = 0;
    for (std::size_t row = 0; row < planted.data.rows; ++row) {
      const double r = first_class(cells.rest, row);
      for (std::uint64_t c = hidden.row_start[row]; c < hidden.row_start[row + 1]; ++c) {
        loss -= std::log(r * density(hidden, c, 0) + (1 - r) * density(hidden, c, 1));
        if (b == 0) {
          const double yes = r * kYes[0] + (1 - r) * kYes[1];
          hits += (yes > 0.5) == (hidden.slot[c] % 2 == 1) ? 1 : 0;
          baseline -= std::log(0.5);
        } else {
          const double x = hidden.value[c];
          const double mean = b == 1 ? r * kMean[0] + (1 - r) * kMean[1] : r * 2 + (1 - r) * 9;
          const double alone = b == 1 ? 0.2 : 5;
          squares += (x - mean) * (x - mean);
          baseline_squares += (x - alone) * (x - alone);
          baseline -= std::log(b == 1 ? normal_density(x, 0.2, 4.5) : poisson_probability(x, 5));
        }
      }
    }
    all += loss;
    count += hidden.cells();
    const auto n = static_cast<double>(hidden.cells());
    const CellScores& scores = holdout.scores[b + 1];
    EXPECT_EQ(scores.what, hidden.name);
    EXPECT_EQ(scores.cells, hidden.cells());
    EXPECT_EQ(scores.level_cells, b == 0 ? hidden.cells() : 0);
    EXPECT_EQ(scores.number_cells, b == 0 ? 0 : hidden.cells());
    EXPECT_NEAR(scores.log_loss, loss / n, 1e-10);
    EXPECT_NEAR(scores.baseline_log_loss, baseline / n, 1e-10);
    EXPECT_NEAR(scores.accuracy, hits / n, 1e-12);
    EXPECT_NEAR(scores.rmse, std::sqrt(squares / n), 1e-10);
    EXPECT_NEAR(scores.baseline_rmse, std::sqrt(baseline_squares / n), 1e-10);
    EXPECT_NEAR(scores.scaled_rmse, b == 0 ? 0 : scores.rmse / std::sqrt(b == 1 ? 4.5 : 5), 1e-10);
  }
  EXPECT_EQ(holdout.scores[0].cells, count);
  EXPECT_NEAR(holdout.scores[0].log_loss, all / static_cast<double>(count), 1e-10);
}

TEST(Holdout, IntervalsOfDataFromTheModelCoverWhatTheySay) {
  const Planted planted(4000, 2);
  HoldoutOptions options;
  options.share = 0.4;
  const Holdout holdout = holdout_cells(Model(planted.parts), planted.data, options);
  const CellScores& numbers = holdout.scores[2];
  const auto n = static_cast<double>(numbers.cells);
  ASSERT_GT(n, 4000);
  EXPECT_NEAR(numbers.coverage50, 0.5, 4.5 * std::sqrt(0.25 / n));
  EXPECT_NEAR(numbers.coverage90, 0.9, 4.5 * std::sqrt(0.09 / n));
  // steps make the intervals of counts wider, never narrower
  const CellScores& counts = holdout.scores[3];
  const auto m = static_cast<double>(counts.cells);
  EXPECT_GT(counts.coverage50, 0.5 - 4.5 * std::sqrt(0.25 / m));
  EXPECT_GT(counts.coverage90, 0.9 - 4.5 * std::sqrt(0.09 / m));
  EXPECT_LT(counts.coverage90, 0.99);
}

TEST(Holdout, CoverageIsThatOfThePredictedQuantiles) {
  const Planted planted(60, 3);
  HoldoutOptions options;
  options.share = 0.5;
  const Model model(planted.parts);
  const HiddenCells cells = hide_cells(planted.data, options.share, options.seed);
  const Holdout holdout = holdout_cells(model, planted.data, options);
  PredictOptions predicting;
  predicting.quantiles = {0.05, 0.25, 0.75, 0.95};
  for (std::size_t b : {1U, 2U}) {
    const Block& hidden = cells.hidden.blocks[b];
    double inside50 = 0, inside90 = 0;
    for (std::size_t row = 0; row < planted.data.rows; ++row) {
      for (std::uint64_t c = hidden.row_start[row]; c < hidden.row_start[row + 1]; ++c) {
        const auto q = predict_cells(model, cells.rest, {{row, b, hidden.slot[c]}}, predicting)[0];
        const double x = hidden.value[c];
        inside50 += x >= q.quantile[1] && x <= q.quantile[2] ? 1 : 0;
        inside90 += x >= q.quantile[0] && x <= q.quantile[3] ? 1 : 0;
      }
    }
    const auto n = static_cast<double>(hidden.cells());
    EXPECT_NEAR(holdout.scores[b + 1].coverage50, inside50 / n, 1e-12);
    EXPECT_NEAR(holdout.scores[b + 1].coverage90, inside90 / n, 1e-12);
  }
}

TEST(Holdout, AFitBeatsTheColumnsAlone) {
  Planted planted(400, 4);
  FitOptions fit;
  fit.components = 2;
  fit.membership = "single";
  fit.threads = 1;
  HoldoutOptions options;
  options.threads = 1;
  const Holdout one = holdout_fit(planted.data, fit, options);
  for (const CellScores& scores : one.scores) {
    EXPECT_GT(scores.baseline_log_loss - scores.log_loss, 2 * scores.gain_error) << scores.what;
    EXPECT_GT(scores.gain_error, 0);
  }
  EXPECT_GT(one.scores[1].accuracy, one.scores[1].baseline_accuracy);
  EXPECT_LT(one.scores[2].rmse, one.scores[2].baseline_rmse);
  options.threads = fit.threads = 3;
  const Holdout three = holdout_fit(planted.data, fit, options);
  for (std::size_t i = 0; i < one.scores.size(); ++i) {
    EXPECT_EQ(one.scores[i].log_loss, three.scores[i].log_loss);
    EXPECT_EQ(one.scores[i].rmse, three.scores[i].rmse);
  }
}

TEST(Holdout, NothingIsLeakedToTheFit) {
  // Columns are pure noise: with cells hidden before the fit nothing can be gained.
  std::mt19937_64 random(9);
  std::vector<std::vector<int>> items(60, std::vector<int>(8));
  for (auto& row : items) {
    for (int& item : row) item = static_cast<int>(random() % 2);
  }
  const Dataset data =
      test::dataset({test::level_block("bernoulli", items, std::vector<std::size_t>(8, 2))});
  FitOptions fit_options;
  fit_options.components = 6;
  fit_options.membership = "single";
  HoldoutOptions options;
  options.share = 0.2;
  const Holdout clean = holdout_fit(data, fit_options, options);
  const Holdout leaky = holdout_cells(fit(data, fit_options), data, options);
  EXPECT_GT(clean.scores[0].log_loss, clean.scores[0].baseline_log_loss);
  EXPECT_LT(leaky.scores[0].log_loss, clean.scores[0].log_loss);
}

TEST(Holdout, FlippedCellsAreScoredAsTheOtherAnswer) {
  const Planted planted(150, 5);
  HoldoutOptions options;
  options.share = 0.3;
  options.flip = {0, 0.1, 0.5, 1};
  const Holdout holdout = holdout_cells(Model(planted.parts), planted.data, options);
  const HiddenCells cells = hide_cells(planted.data, options.share, options.seed);
  const Block& hidden = cells.hidden.blocks[0];
  ASSERT_EQ(holdout.flipped.size(), 4U);
  double flipped = 0;
  for (std::size_t row = 0; row < planted.data.rows; ++row) {
    const double r = first_class(cells.rest, row);
    const double yes = r * kYes[0] + (1 - r) * kYes[1];
    for (std::uint64_t c = hidden.row_start[row]; c < hidden.row_start[row + 1]; ++c)
      flipped -= std::log(hidden.slot[c] % 2 == 1 ? 1 - yes : yes);
  }
  const auto n = static_cast<double>(hidden.cells());
  EXPECT_NEAR(holdout.flipped[0].log_loss, holdout.scores[1].log_loss, 1e-12);
  EXPECT_NEAR(holdout.flipped[3].log_loss, flipped / n, 1e-10);
  for (const NoiseScores& noise : holdout.flipped) {
    EXPECT_EQ(noise.cells, hidden.cells());
    EXPECT_EQ(noise.flipped, static_cast<std::size_t>(std::round(noise.share * n)));
  }
  for (std::size_t i = 1; i < 4; ++i) {
    EXPECT_GT(holdout.flipped[i].log_loss, holdout.flipped[i - 1].log_loss);
    EXPECT_GT(holdout.flipped[i].perplexity, holdout.flipped[i - 1].perplexity);
  }
  // without noise: the perplexity of the rows as they are
  double bound = 0, observations = 0;
  for (std::size_t row = 0; row < planted.data.rows; ++row) {
    double a = kPi[0], b = kPi[1];
    for (const Block& block : planted.data.blocks) {
      for (std::uint64_t c = block.row_start[row]; c < block.row_start[row + 1]; ++c) {
        a *= density(block, c, 0);
        b *= density(block, c, 1);
        ++observations;
      }
    }
    bound += std::log(a + b);
  }
  EXPECT_NEAR(holdout.flipped[0].perplexity, std::exp(-bound / observations), 1e-10);
}

TEST(Holdout, PoolingCountsEveryCellOnce) {
  Holdout a, b;
  a.scores = {{"all", 10, 1.0, 2.0, 0.3, 0.5, 0.25, 3, 5, 1, 0.5, 1.0, 4, 6}};
  b.scores = {{"all", 30, 2.0, 3.0, 0.1, 1.0, 0.75, 1, 2, 2, 0.25, 0.5, 12, 18}};
  a.flipped = {{0.1, 10, 1, 0.5, 1.5}};
  b.flipped = {{0.1, 30, 3, 0.9, 2.5}};
  const Holdout both = pooled({a, b});
  const CellScores& s = both.scores[0];
  EXPECT_EQ(s.what, "all");
  EXPECT_EQ(s.cells, 40U);
  EXPECT_NEAR(s.log_loss, 1.75, 1e-12);
  EXPECT_NEAR(s.baseline_log_loss, 2.75, 1e-12);
  EXPECT_NEAR(s.gain_error, std::sqrt(3 * 3 + 3 * 3) / 40, 1e-12);
  EXPECT_NEAR(s.accuracy, (4 * 0.5 + 12 * 1.0) / 16, 1e-12);
  EXPECT_NEAR(s.baseline_accuracy, (4 * 0.25 + 12 * 0.75) / 16, 1e-12);
  EXPECT_NEAR(s.rmse, std::sqrt((6 * 9 + 18 * 1) / 24.0), 1e-12);
  EXPECT_NEAR(s.baseline_rmse, std::sqrt((6 * 25 + 18 * 4) / 24.0), 1e-12);
  EXPECT_NEAR(s.scaled_rmse, std::sqrt((6 * 1 + 18 * 4) / 24.0), 1e-12);
  EXPECT_NEAR(s.coverage50, (6 * 0.5 + 18 * 0.25) / 24, 1e-12);
  EXPECT_NEAR(s.coverage90, (6 * 1.0 + 18 * 0.5) / 24, 1e-12);
  EXPECT_EQ(both.flipped[0].flipped, 4U);
  EXPECT_NEAR(both.flipped[0].log_loss, (10 * 0.5 + 30 * 0.9) / 40, 1e-12);
  EXPECT_NEAR(both.flipped[0].perplexity, 2.0, 1e-12);
}

TEST(Holdout, WhatCannotBeScoredIsRefused) {
  const Dataset words = test::dataset({test::token_block("words", {{1, 2}, {2, 1}})});
  const auto parts = test::hand_parts("mixed", {1, 1}, words);
  EXPECT_THROW((void)holdout_cells(Model(parts), words, {}), InputError);
  const Planted planted(20);
  HoldoutOptions options;
  options.flip = {1.5};
  EXPECT_THROW((void)holdout_cells(Model(planted.parts), planted.data, options), InputError);
}

}  // namespace
}  // namespace medley
