// SPDX-License-Identifier: Apache-2.0
// Learning on from a saved model: against pooled counts and moments, planted topics, and a fit to
// all rows.
#include "medley/fit.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <cmath>
#include <filesystem>
#include <numeric>

#include "data/select_rows.hpp"
#include "medley/error.hpp"
#include "medley/evaluate.hpp"
#include "medley/simulate.hpp"
#include "model/marginal.hpp"
#include "model/model.hpp"
#include "support/files.hpp"
#include "support/toy.hpp"

namespace medley {
namespace {

using testing::content_of;
using ::testing::HasSubstr;
using testing::TemporaryFolder;

FitOptions plain(std::size_t components, std::size_t batch = 0) {
  FitOptions options;
  options.components = components;
  options.batch = batch;
  options.threads = 1;
  return options;
}

// Every row, old or new, counts the same.
UpdateOptions evenly(std::size_t batch) {
  UpdateOptions options;
  options.batch = batch;
  options.t0 = 0;
  options.kappa = 1;
  options.passes = 1;
  options.threads = 1;
  return options;
}

Dataset rows(const Dataset& data, std::size_t begin, std::size_t end) {
  std::vector<std::size_t> some(end - begin);
  std::iota(some.begin(), some.end(), begin);
  return data::select_rows(data, some);
}

std::string bytes_of(const Model& model, const TemporaryFolder& folder) {
  model.save(folder / "m.medley");
  return content_of(folder / "m.medley");
}

std::string error_of(const std::function<void()>& action) {
  try {
    action();
  } catch (const InputError& error) {
    return error.what();
  }
  ADD_FAILURE() << "nothing was refused";
  return "";
}

double nats_per_word(const Model& model, const Dataset& data) {
  EvaluateOptions options;
  options.estimator = "bound";
  const Evaluation scores = evaluate(model, data, options);
  return scores.log_likelihood / scores.observations;
}

// Words with one component: the maximum is the pooled frequencies, by hand.
TEST(Update, OneComponentHasThePooledFrequenciesOfOldAndNewRows) {
  const Dataset data = test::corpus(900);
  for (const std::size_t fitted_in_batches : {0U, 100U}) {
    FitOptions options = plain(1, fitted_in_batches);
    options.t0 = 0;
    options.kappa = 1;
    options.passes = 1;
    const Model before = fit(rows(data, 0, 300), options);
    const Model after = update(before, rows(data, 300, 900), evenly(100));
    std::vector<double> count(6, 0.01);
    for (std::size_t c = 0; c < data.blocks[0].cells(); ++c)
      count[data.blocks[0].slot[c]] += static_cast<double>(data.blocks[0].weight_of(c));
    const double all = std::accumulate(count.begin(), count.end(), 0.0);
    for (std::size_t s = 0; s < 6; ++s)
      EXPECT_NEAR(after.parts().blocks[0].probability(s, 0), count[s] / all, 1e-6);
    EXPECT_EQ(after.summary().steps, 9U);
    EXPECT_EQ(after.summary().rows, 900U);
  }
}

// Numbers with one component: the pooled mean and variance.
TEST(Update, OneComponentHasThePooledMomentsOfOldAndNewRows) {
  core::Rng rng(3, 3);
  std::vector<std::vector<double>> numbers;
  for (int i = 0; i < 400; ++i) numbers.push_back({(i < 200 ? 1.0 : 5.0) + rng.normal()});
  const Dataset data = test::dataset({test::real_block("gaussian", numbers, 1)});
  const Model before = fit(rows(data, 0, 200), plain(1));
  const Model after = update(before, rows(data, 200, 400), evenly(50));
  double mean = 0, square = 0;
  for (const auto& row : numbers) {
    mean += row[0] / 400;
    square += row[0] * row[0] / 400;
  }
  const families::Moments moments = after.parts().blocks[0].family->numbers()->moments(0, 0);
  EXPECT_NEAR(moments.mean, mean, 1e-6);
  EXPECT_NEAR(moments.variance, square - mean * mean, 1e-5);
  const families::Moments marginal = after.parts().blocks[0].marginal->numbers()->moments(0, 0);
  EXPECT_NEAR(marginal.mean, mean, 1e-9);
  EXPECT_NEAR(marginal.variance, square - mean * mean, 1e-8);
}

// Planted topics; the tolerance is a hundredth of a nat per held-out word.
TEST(Update, TwoHalvesReachTheHeldOutScoreOfOneFitToBoth) {
  PlantOptions plan;
  plan.model = "lda";
  plan.components = 4;
  plan.columns = {{"tokens", 1, 60}};
  plan.alpha = 0.1;
  plan.separation = 2;
  const Model truth = plant(plan);
  const Dataset data = simulate(truth, {2600, 0, 60, 5}).data;
  const Dataset held_out = rows(data, 2000, 2600);
  FitOptions options = plain(4, 100);
  options.model = "lda";
  options.seed = 3;
  options.passes = 2;
  options.init = "random";
  const double both = nats_per_word(fit(rows(data, 0, 2000), options), held_out);
  const double best = nats_per_word(truth, held_out);
  const Dataset first = rows(data, 0, 1000), second = rows(data, 1000, 2000);
  UpdateOptions on;
  on.threads = 1;
  const double halves = nats_per_word(update(fit(first, options), second, on), held_out);
  EXPECT_NEAR(halves, both, 0.01);
  EXPECT_NEAR(halves, best, 0.02);
  options.batch = 0;  // the same after a fit to all rows at once
  on.batch = 100;
  EXPECT_NEAR(nats_per_word(update(fit(first, options), second, on), held_out), both, 0.01);
}

// Documents of words 0-2 and 3-5, later some of words 6-8.
Dataset documents(std::size_t count, std::size_t topics) {
  std::vector<std::vector<int>> counts;
  for (std::size_t d = 0; d < count; ++d) {
    core::Rng rng(8, topics, d);
    std::vector<int> words(9, 0);
    const std::size_t topic = topics == 1 ? 2 : d % topics;
    for (int token = 0; token < 15; ++token)
      ++words[rng.uniform() < 0.95 ? 3 * topic + rng.below(3) : rng.below(topics < 3 ? 6 : 9)];
    counts.push_back(words);
  }
  return test::dataset({test::token_block("words", counts)});
}

TEST(Update, ATopicThatOccursOnlyInTheNewRowsIsLearnt) {
  FitOptions options = plain(3, 50);
  const Model before = fit(documents(400, 2), options);
  UpdateOptions on;
  on.threads = 1;
  const Model after = update(before, documents(400, 3), on);
  double most_before = 0, most_after = 0;
  for (std::size_t k = 0; k < 3; ++k) {
    double of_new = 0, then = 0;
    for (std::size_t s = 6; s < 9; ++s) {
      then += before.parts().blocks[0].probability(s, k);
      of_new += after.parts().blocks[0].probability(s, k);
    }
    most_before = std::max(most_before, then);
    most_after = std::max(most_after, of_new);
  }
  EXPECT_LT(most_before, 0.05);
  EXPECT_GT(most_after, 0.85);  // planted: 0.95 + 0.05 / 3
}

TEST(Update, CountsOldAndNewRowsAndKeepsNumbersAndNames) {
  const Dataset data = test::survey_and_corpus(600);
  const Dataset old = rows(data, 0, 400), fresh = rows(data, 400, 600);
  FitOptions options = plain(3, 50);
  const Model before = fit(old, options).renamed(1, "Second");
  UpdateOptions on;
  on.threads = 1;
  const Model after = update(before, fresh, on);
  EXPECT_EQ(after.names(), before.names());
  const FitSummary& s = after.summary();
  EXPECT_EQ(s.rows, 600U);
  EXPECT_EQ(s.earlier.rows, 400U);
  EXPECT_EQ(s.earlier.updates, 1U);
  EXPECT_EQ(s.steps, before.summary().steps + s.iterations);
  EXPECT_EQ(after.parts().options.batch, 50U);
  double observed = 0;
  for (std::size_t row = 0; row < 600; ++row) observed += data.observed(row);
  EXPECT_NEAR(s.observations, observed, 1e-9 * observed);
  for (std::size_t b = 0; b < data.blocks.size(); ++b) {
    const auto totals = model::slot_totals(data, data.blocks[b]);
    const auto marginal = model::fit_marginal(data, data.blocks[b], {0.01, 0});
    for (std::size_t slot = 0; slot < totals.size(); ++slot) {
      EXPECT_NEAR(after.parts().blocks[b].total[slot], totals[slot], 1e-9 * (1 + totals[slot]));
      EXPECT_NEAR(after.parts().blocks[b].marginal->parameters()[slot * marginal->padded()],
                  marginal->parameters()[slot * marginal->padded()], 1e-9);
    }
  }
  // The bound is that of the new rows.
  EvaluateOptions by_bound;
  by_bound.estimator = "bound";
  EXPECT_NEAR(s.bound, evaluate(after, fresh, by_bound).log_likelihood, 1e-9 * std::abs(s.bound));
  const TemporaryFolder folder;
  after.save(folder / "after.medley");
  const FitSummary loaded = Model::load(folder / "after.medley").summary();
  EXPECT_EQ(loaded.earlier.rows, 400U);
  EXPECT_EQ(loaded.steps, s.steps);
  EXPECT_EQ(update(Model::load(folder / "after.medley"), fresh, on).summary().earlier.updates, 2U);
}

TEST(Update, EveryFamilyAndMembershipLearnsOn) {
  PlantOptions plan;
  plan.components = 2;
  plan.columns = {{"gaussian", 2, 0},  {"categorical", 3, 3}, {"poisson", 2, 0},
                  {"bernoulli", 3, 0}, {"exponential", 1, 0}, {"gamma", 1, 0},
                  {"lognormal", 1, 0}, {"geometric", 1, 0}};
  plan.separation = 2;
  const Dataset data = simulate(plant(plan), {600, 0.1, 100, 5}).data;
  for (const char* membership : {"mixed", "single"}) {
    FitOptions options = plain(2, 50);
    options.membership = membership;
    const Model before = fit(rows(data, 0, 300), options);
    UpdateOptions on;
    on.threads = 1;
    const Model after = update(before, rows(data, 300, 600), on);
    EXPECT_EQ(after.membership(), membership);
    // Rows from the same source: learning on costs nothing.
    EXPECT_GT(nats_per_word(after, rows(data, 300, 600)),
              nats_per_word(before, rows(data, 300, 600)) - 0.005);
  }
}

TEST(Update, AfterInferenceThatNeedsAllRowsItSaysSo) {
  const Dataset data = test::survey(400);
  FitOptions options = plain(2);
  options.inference = "exact";
  UpdateOptions on;
  on.threads = 1;
  const Model after = update(fit(rows(data, 0, 200), options), rows(data, 200, 400), on);
  EXPECT_EQ(after.inference(), "standard");
  EXPECT_THAT(after.summary().why_inference, HasSubstr("exact inference, which needs all rows"));
}

TEST(Update, ThreadsAndStreamsDoNotShow) {
  const TemporaryFolder folder;
  const Dataset data = test::survey_and_corpus(600);
  const Dataset fresh = rows(data, 300, 600);
  const Model before = fit(rows(data, 0, 300), plain(3, 50));
  UpdateOptions on;
  on.passes = 2;
  on.threads = 1;
  const std::string one = bytes_of(update(before, fresh, on), folder);
  on.threads = 3;
  EXPECT_TRUE(bytes_of(update(before, fresh, on), folder) == one);
  write_stream(fresh, folder / "d.stream");
  EXPECT_TRUE(bytes_of(update(before, *open_stream(folder / "d.stream"), on), folder) == one);
}

TEST(Update, InterruptedAndResumedItEndsWithTheSameBytes) {
  const TemporaryFolder folder;
  const Dataset data = test::corpus(600);
  const Dataset fresh = rows(data, 300, 600);
  const Model before = fit(rows(data, 0, 300), plain(3, 50));
  UpdateOptions on;
  on.threads = 1;
  on.passes = 3;
  const std::string straight = bytes_of(update(before, fresh, on), folder);
  on.checkpoint = folder / "checkpoint";
  std::atomic<bool> stop{false};
  Hooks hooks;
  hooks.progress = [&](const Progress& p) { stop = p.iteration >= 7; };
  hooks.stop = &stop;
  EXPECT_EQ(update(before, fresh, on, hooks).summary().termination, Termination::interrupted);
  on.resume = true;
  const Model other = fit(rows(data, 0, 300), plain(3, 60));
  EXPECT_THROW((void)update(other, fresh, on), InputError);
  EXPECT_TRUE(bytes_of(update(before, fresh, on), folder) == straight);
  EXPECT_TRUE(std::filesystem::remove(on.checkpoint));  // it stays until the model is saved
}

TEST(Update, WhatCannotBeDoneIsSaid) {
  const Dataset data = test::corpus(100);
  const Model model = fit(data, plain(2));
  EXPECT_THAT(error_of([&] { (void)update(model, rows(data, 0, 0), {}); }), HasSubstr("no rows"));
  Dataset nothing = rows(data, 0, 10);
  for (Block& block : nothing.blocks) {
    block.slot.clear();
    block.weight.clear();
    std::ranges::fill(block.row_start, 0U);
  }
  EXPECT_THAT(error_of([&] { (void)update(model, nothing, {}); }),
              HasSubstr("nothing that the model knows"));
  EXPECT_THAT(error_of([&] { (void)update(model, test::survey(50), {}); }),
              HasSubstr("has other columns"));
  UpdateOptions on;
  on.batch = 200;
  on.kappa = 0.5;
  const std::string refusal = error_of([&] { (void)update(model, data, on); });
  EXPECT_THAT(refusal, HasSubstr("`batch=200`"));
  EXPECT_THAT(refusal, HasSubstr("`kappa`"));
  ReadOptions labelled;
  labelled.label = "kind";
  const Dataset survey = test::read_file("s.csv", test::survey_csv(200), labelled);
  EXPECT_THAT(error_of([&] { (void)update(fit(survey, plain(2)), survey, {}); }),
              HasSubstr("label"));
}

}  // namespace
}  // namespace medley
