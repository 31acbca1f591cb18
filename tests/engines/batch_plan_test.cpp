// SPDX-License-Identifier: Apache-2.0
#include "engines/batch_plan.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "engines/stochastic_start.hpp"
#include "medley/error.hpp"

namespace medley::engines {
namespace {

std::vector<std::size_t> rows_of(const std::vector<RowRange>& ranges) {
  std::vector<std::size_t> rows;
  for (const RowRange& range : ranges) {
    for (std::size_t row = range.begin; row < range.end; ++row) rows.push_back(row);
  }
  return rows;
}

TEST(BatchPlan, APassHoldsEveryRowOnceInNearlyEqualMinibatches) {
  struct Case {
    std::size_t rows, batch, steps;
  };
  for (const Case& c : {Case{1000, 100, 10}, Case{1049, 100, 10}, Case{1051, 100, 11},
                        Case{7, 7, 1}, Case{10, 7, 1}, Case{100'003, 1000, 100}, Case{5, 1, 5}}) {
    const BatchPlan plan(c.rows, c.batch, 3);
    ASSERT_EQ(plan.steps(), c.steps) << c.rows;
    for (const std::size_t pass : {0U, 1U}) {
      std::vector<std::size_t> all;
      const std::size_t block = std::clamp<std::size_t>(c.batch / 64, 1, 64);
      for (std::size_t step = 0; step < plan.steps(); ++step) {
        const std::vector<std::size_t> rows = rows_of(plan.ranges(pass, step));
        EXPECT_NEAR(static_cast<double>(rows.size()),
                    static_cast<double>(c.rows) / static_cast<double>(c.steps),
                    2.0 * static_cast<double>(block));
        all.insert(all.end(), rows.begin(), rows.end());
      }
      std::ranges::sort(all);
      ASSERT_EQ(all.size(), c.rows);
      for (std::size_t row = 0; row < c.rows; ++row) ASSERT_EQ(all[row], row);
    }
  }
}

TEST(BatchPlan, PassesAndSeedsDiffer) {
  const BatchPlan one(5000, 500, 1), two(5000, 500, 2);
  EXPECT_EQ(rows_of(one.ranges(0, 3)), rows_of(BatchPlan(5000, 500, 1).ranges(0, 3)));
  EXPECT_NE(rows_of(one.ranges(0, 3)), rows_of(one.ranges(1, 3)));
  EXPECT_NE(rows_of(one.ranges(0, 3)), rows_of(two.ranges(0, 3)));
}

// In sorted rows a minibatch holds each half about equally: 64 blocks are drawn.
TEST(BatchPlan, AMinibatchIsAFairSampleOfSortedRows) {
  const BatchPlan plan(100'000, 1000, 1);
  for (std::size_t step = 0; step < plan.steps(); ++step) {
    const auto rows = rows_of(plan.ranges(0, step));
    const auto low =
        static_cast<double>(std::ranges::count_if(rows, [](std::size_t r) { return r < 50'000; }));
    EXPECT_NEAR(low / static_cast<double>(rows.size()), 0.5, 5 * 0.5 / 8.0);
  }
}

TEST(SpreadSample, IsAllOfAFewRowsAndSomeOfMany) {
  EXPECT_EQ(rows_of(spread_sample(100, 200, 1)).size(), 100U);
  const auto some = rows_of(spread_sample(100'000, 10'000, 1));
  EXPECT_NEAR(static_cast<double>(some.size()), 10'000.0, 16.0);
  EXPECT_TRUE(std::ranges::is_sorted(some));
  EXPECT_GT(some.back(), 90'000U);
}

FitOptions in_batches(std::size_t batch) {
  FitOptions options;
  options.components = 2;
  options.batch = batch;
  return options;
}

TEST(StochasticOptions, TheFirstStepsWeighLessWhereThereAreMany) {
  const Dataset shape;
  EXPECT_DOUBLE_EQ(stochastic_options(in_batches(100), 900, false, shape).t0.value(), 1.0);
  EXPECT_DOUBLE_EQ(stochastic_options(in_batches(100), 2000, false, shape).t0.value(), 8.5);
  EXPECT_DOUBLE_EQ(stochastic_options(in_batches(100), 3000, false, shape).t0.value(), 16.0);
  EXPECT_EQ(stochastic_options(in_batches(100), 200'000, true, shape).passes, 1U);
  EXPECT_EQ(stochastic_options(in_batches(100), 200'000, false, shape).passes, 5U);
  EXPECT_EQ(stochastic_options(in_batches(100), 2000, true, shape).passes, 5U);
  FitOptions options = in_batches(10);
  options.t0 = 1;
  EXPECT_DOUBLE_EQ(step_size(options, 1), std::pow(2.0, -0.7));
}

TEST(StochasticOptions, WhatMakesNoSenseIsListedAtOnce) {
  FitOptions options = in_batches(5000);
  options.kappa = 0.5;
  options.restarts = 3;
  options.inference = "exact";
  try {
    (void)stochastic_options(options, 100, false, {});
    FAIL();
  } catch (const InputError& error) {
    const std::string text = error.what();
    for (const char* part :
         {"`batch=5000`", "only 100 rows", "`kappa`", "`restarts`", "`inference=\"exact\"`"})
      EXPECT_NE(text.find(part), std::string::npos) << part;
  }
  for (const double kappa : {0.3, 0.5, 1.01, -1.0, std::nan("")}) {
    options = in_batches(10);
    options.kappa = kappa;
    EXPECT_THROW((void)stochastic_options(options, 100, false, {}), InputError) << kappa;
  }
  options = in_batches(100);
  options.kappa = 1;
  EXPECT_NO_THROW((void)stochastic_options(options, 100, false, {}));
}

}  // namespace
}  // namespace medley::engines
