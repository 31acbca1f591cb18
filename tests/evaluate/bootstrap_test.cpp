// SPDX-License-Identifier: Apache-2.0
// The bootstrap where standard errors have a closed form, where labels switch, and against planted
// profiles.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cmath>

#include "evaluate/planted_survey.hpp"
#include "medley/error.hpp"
#include "medley/uncertainty.hpp"
#include "support/toy.hpp"

namespace medley {
namespace {

using Quantity = BootstrapEstimate::Quantity;

FitOptions one_profile() {
  FitOptions options;
  options.components = 1;
  options.membership = "single";
  options.smoothing = 0;
  options.threads = 1;
  return options;
}

const IntervalEstimate& found_in(const Bootstrap& bootstrap, Quantity quantity,
                                 const std::string& feature, const std::string& level = "",
                                 std::size_t component = 0) {
  const auto found = std::ranges::find_if(bootstrap.estimates, [&](const BootstrapEstimate& e) {
    return e.component == component && e.quantity == quantity && e.feature == feature &&
           e.level == level;
  });
  EXPECT_NE(found, bootstrap.estimates.end());
  return found->estimate;
}

// 30 yes and 70 no; numbers 0 .. 99 beside them.
Dataset column_of_answers_and_numbers() {
  std::vector<std::vector<int>> codes;
  std::vector<std::vector<double>> numbers;
  for (int i = 0; i < 100; ++i) {
    codes.push_back({i % 10 < 3 ? 1 : 0});
    numbers.push_back({static_cast<double>(i)});
  }
  return test::dataset(
      {test::level_block("bernoulli", codes, {2}), test::real_block("gaussian", numbers, 1)});
}

TEST(Bootstrap, StandardErrorsOfOneProfileInClosedForm) {
  const Dataset data = column_of_answers_and_numbers();
  const Model model = fit(data, one_profile());
  const Bootstrap found = bootstrap(model, data, {.replicates = 400, .level = 0.9, .threads = 2});
  EXPECT_EQ(found.replicates, 400U);
  EXPECT_EQ(found.not_converged, 0U);
  EXPECT_EQ(found.ambiguous, 0U);
  EXPECT_LT(found.drift, 1e-6);
  // 400 replicates know a standard error to 3.5 %; allow five times that.
  const double tolerance = 0.18;
  const IntervalEstimate& yes = found_in(found, Quantity::probability, "q0", "l1");
  const double error = std::sqrt(0.3 * 0.7 / 100);
  EXPECT_NEAR(yes.value, 0.3, 1e-9);
  EXPECT_NEAR(yes.standard_error, error, tolerance * error);
  EXPECT_NEAR(yes.low, 0.3 - 1.645 * error, 0.4 * error);
  EXPECT_NEAR(yes.high, 0.3 + 1.645 * error, 0.4 * error);
  const IntervalEstimate& no = found_in(found, Quantity::probability, "q0", "l0");
  EXPECT_NEAR(no.low, 1 - yes.high, 1e-12);
  const double sd = 100 / std::sqrt(12.0);  // of a uniform
  const IntervalEstimate& mean = found_in(found, Quantity::mean, "x0");
  EXPECT_NEAR(mean.value, 49.5, 1e-6);
  EXPECT_NEAR(mean.standard_error, sd / 10, tolerance * sd / 10);
  // Var s^2 = (mu_4 - sd^4) / n with mu_4 = 1.8 sd^4, and s = sqrt(s^2)
  const double sd_error = sd * std::sqrt(0.8 / 100) / 2;
  EXPECT_NEAR(found_in(found, Quantity::sd, "x0").standard_error, sd_error, tolerance * sd_error);
  EXPECT_EQ(found_in(found, Quantity::size, "").standard_error, 0);
}

KeptColumn codes_of(const std::string& name, std::size_t rows, std::size_t each) {
  KeptColumn column{name, {}, {}};
  for (std::size_t row = 0; row < rows; ++row) {
    if (row % each == 0) column.levels.push_back(std::to_string(row / each));
    column.code.push_back(static_cast<std::int32_t>(row / each));
  }
  return column;
}

// Rows of a cluster say the same: there are as many observations as clusters.
TEST(Bootstrap, ClustersAreDrawnWhole) {
  std::vector<std::vector<int>> codes;
  for (int i = 0; i < 300; ++i) codes.push_back({i / 6 % 2});
  Dataset data = test::dataset({test::level_block("bernoulli", codes, {2})});
  data.kept = {codes_of("school", 300, 6)};
  const Model model = fit(data, one_profile());
  const Bootstrap found =
      bootstrap(model, data, {.replicates = 400, .cluster = "school", .threads = 2});
  EXPECT_EQ(found.units, 50U);
  const double error = std::sqrt(0.25 / 49);
  EXPECT_NEAR(found_in(found, Quantity::probability, "q0", "l1").standard_error, error,
              0.18 * error);
}

// Within strata nothing varies here, so nothing is uncertain.
TEST(Bootstrap, StrataAreDrawnOneByOne) {
  std::vector<std::vector<int>> codes;
  for (int i = 0; i < 60; ++i) codes.push_back({i / 20 == 1 ? 1 : 0});
  Dataset data = test::dataset({test::level_block("bernoulli", codes, {2})});
  data.kept = {codes_of("region", 60, 20)};
  const Model model = fit(data, one_profile());
  const Bootstrap found =
      bootstrap(model, data, {.replicates = 20, .strata = "region", .threads = 1});
  EXPECT_EQ(found.strata, 3U);
  EXPECT_NEAR(found_in(found, Quantity::probability, "q0", "l1").standard_error, 0, 1e-9);
}

// Rows drawn from two profiles, and their mirror images: both are of one size, and which of them is
// larger in a sample, and so comes first in its fit, is a coin's.
Dataset rows_and_mirror_images() {
  const Model truth = test::planted_survey(
      "single", {0.5, 0.5}, {std::vector<double>(6, 0.9), std::vector<double>(6, 0.1)});
  Dataset data = simulate(truth, {.rows = 150, .seed = 4}).data;
  Block& block = data.blocks[0];
  const std::vector<std::uint32_t> drawn = block.slot;
  for (const std::uint32_t slot : drawn) {
    block.slot.push_back(slot ^ 1U);
    if (block.slot.size() % 6 == 0) block.row_start.push_back(block.slot.size());
  }
  data.rows = 300;
  data.ids.clear();
  return data;
}

TEST(Bootstrap, ProfilesKeepTheirIdentity) {
  Dataset data = rows_and_mirror_images();
  data.kept = {codes_of("half", 300, 150)};
  FitOptions options;
  options.components = 2;
  options.membership = "single";
  options.threads = 1;
  const Model model = fit(data, options);
  const Memberships shares = transform(model, data);
  const BootstrapOptions asked{.replicates = 200, .by = {"half"}, .threads = 2};
  const Bootstrap found = bootstrap(model, data, asked);
  EXPECT_EQ(found.ambiguous, 0U);
  for (std::size_t k = 0; k < 2; ++k) {
    // About sqrt(0.1 * 0.9 / 150); a switch of labels would move it by 0.8.
    const IntervalEstimate& e = found_in(found, Quantity::probability, "q0", "l1", k);
    EXPECT_LT(e.standard_error, 0.05);
    EXPECT_GT(e.standard_error, 0.01);
    EXPECT_NEAR(std::abs(e.value - 0.5), 0.4, 0.1);
    EXPECT_LT(e.low, e.value);
    EXPECT_GT(e.high, e.value);
    // The profiles are all but known, so it is the mean of the shares of 150 rows.
    const IntervalEstimate& half = found_in(found, Quantity::group, "half", "0", k);
    double mean = 0, square = 0;
    for (std::size_t row = 0; row < 150; ++row) {
      mean += shares.row(row)[k] / 150;
      square += shares.row(row)[k] * shares.row(row)[k] / 150;
    }
    EXPECT_NEAR(half.value, mean, 1e-9);
    const double error = std::sqrt((square - mean * mean) / 149);
    EXPECT_NEAR(half.standard_error, error, 0.15 * error);
  }
  // The same at any number of threads.
  BootstrapOptions alone = asked;
  alone.threads = 1;
  const Bootstrap again = bootstrap(model, data, alone);
  for (std::size_t i = 0; i < found.estimates.size(); ++i) {
    EXPECT_EQ(found.estimates[i].estimate.low, again.estimates[i].estimate.low);
    EXPECT_EQ(found.estimates[i].estimate.standard_error,
              again.estimates[i].estimate.standard_error);
  }
}

TEST(Bootstrap, ProfilesThatAreNotThereAreCalledAmbiguous) {
  const Model truth = test::planted_survey("single", {1.0}, {std::vector<double>(6, 0.5)});
  const Dataset data = simulate(truth, {.rows = 200, .seed = 4}).data;
  FitOptions options;
  options.components = 3;
  options.membership = "single";
  options.threads = 1;
  const Bootstrap found = bootstrap(fit(data, options), data, {.replicates = 12, .threads = 2});
  EXPECT_GT(found.ambiguous, 1U);
}

// A row without weight leaves no trace, not even in who is drawn.
TEST(Bootstrap, RowsWithoutWeightAreAbsent) {
  const Dataset data = column_of_answers_and_numbers();
  std::vector<std::vector<int>> codes = {{1}, {1}, {1}};
  std::vector<std::vector<double>> numbers = {{1e6}, {1e6}, {-1e6}};
  for (int i = 0; i < 100; ++i) {
    codes.push_back({i % 10 < 3 ? 1 : 0});
    numbers.push_back({static_cast<double>(i)});
  }
  Dataset more = test::dataset(
      {test::level_block("bernoulli", codes, {2}), test::real_block("gaussian", numbers, 1)});
  more.row_weight.assign(103, 1.0);
  std::fill_n(more.row_weight.begin(), 3, 0.0);
  const Model model = fit(data, one_profile());
  const Bootstrap a = bootstrap(model, data, {.replicates = 10, .threads = 1});
  const Bootstrap b = bootstrap(model, more, {.replicates = 10, .threads = 1});
  for (std::size_t i = 0; i < a.estimates.size(); ++i) {
    EXPECT_DOUBLE_EQ(a.estimates[i].estimate.low, b.estimates[i].estimate.low);
    EXPECT_DOUBLE_EQ(a.estimates[i].estimate.high, b.estimates[i].estimate.high);
  }
}

TEST(Bootstrap, StopsWhenAsked) {
  const Dataset data = column_of_answers_and_numbers();
  const Model model = fit(data, one_profile());
  std::atomic<bool> stop = false;
  Hooks hooks;
  hooks.stop = &stop;
  std::size_t steps = 0;
  hooks.progress = [&](const Progress& p) {
    EXPECT_EQ(p.restart, steps);
    EXPECT_EQ(p.restarts, 51U);
    if (++steps == 5) stop = true;
  };
  const Bootstrap found = bootstrap(model, data, {.replicates = 50, .threads = 1}, hooks);
  EXPECT_TRUE(found.interrupted);
  EXPECT_TRUE(found.estimates.empty());
}

TEST(Bootstrap, WhatMakesNoSenseIsRefused) {
  Dataset data = column_of_answers_and_numbers();
  data.kept = {codes_of("all", 100, 100)};
  const Model model = fit(data, one_profile());
  EXPECT_THROW(static_cast<void>(bootstrap(model, data, {.replicates = 1})), InputError);
  EXPECT_THROW(static_cast<void>(bootstrap(model, data, {.level = 1.5})), InputError);
  EXPECT_THROW(static_cast<void>(bootstrap(model, data, {.by = {"nothing"}})), InputError);
  EXPECT_THROW(static_cast<void>(bootstrap(model, data, {.cluster = "all"})), InputError);
  EXPECT_THROW(static_cast<void>(bootstrap(
                   model, test::dataset({test::level_block("bernoulli", {{1}}, {2})}), {})),
               InputError);
}

// A small version of the coverage study (bootstrap_coverage_test.cpp).
TEST(Bootstrap, IntervalsCoverPlantedProfiles) {
  test::CoverageStudy study;
  study.membership = "single";
  study.inference = "standard";
  study.prior = {0.6, 0.4};
  study.yes = {{0.8, 0.7, 0.9, 0.75, 0.8, 0.85}, {0.2, 0.3, 0.15, 0.2, 0.25, 0.1}};
  study.simulations = 15;
  study.rows = 200;
  study.replicates = 50;
  const test::Coverage found = covered(study);
  // Too narrow by a third would be 0.81, too wide by a half 0.997; the standard error is about
  // 0.015.
  EXPECT_GT(found.mean(), 0.88);
  EXPECT_LT(found.mean(), 0.99);
}

}  // namespace
}  // namespace medley
