// SPDX-License-Identifier: Apache-2.0
// Fitting in minibatches from end to end.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <cmath>
#include <filesystem>

#include "medley/error.hpp"
#include "medley/evaluate.hpp"
#include "medley/fit.hpp"
#include "medley/simulate.hpp"
#include "model/marginal.hpp"
#include "model/model.hpp"
#include "support/files.hpp"
#include "support/quick.hpp"

namespace medley {
namespace {

using testing::content_of;
using testing::TemporaryFolder;

FitOptions in_batches(std::size_t batch, std::size_t components) {
  FitOptions options;
  options.components = components;
  options.batch = batch;
  options.threads = 1;
  return options;
}

EvaluateOptions by_bound() {
  EvaluateOptions options;
  options.estimator = "bound";
  return options;
}

std::string bytes_of(const Model& model, const TemporaryFolder& folder) {
  model.save(folder / "m.medley");
  return content_of(folder / "m.medley");
}

TEST(StochasticFit, FindsPlantedTopics) {
  PlantOptions plan;
  plan.model = "lda";
  plan.components = 4;
  plan.columns = {{"tokens", 1, 60}};  // not a family
  plan.alpha = 0.1;
  plan.separation = 2;
  const Model truth = plant(plan);
  const Simulated drawn = simulate(truth, {1500, 0, 60, 5});
  FitOptions options = in_batches(100, 4);
  options.model = "lda";
  options.seed = 3;
  const Model fitted = fit(drawn.data, options);
  EXPECT_EQ(fitted.summary().termination, Termination::passes_done);
  EXPECT_EQ(fitted.summary().iterations, 75U);
  // The truth itself is the yardstick: nats per word of the training documents.
  const double words = fitted.summary().observations;
  const double best = evaluate(truth, drawn.data, by_bound()).log_likelihood / words;
  EXPECT_NEAR(fitted.summary().bound / words, best, 0.01);
  // alpha: planted 0.1 each
  double alpha = 0;
  for (const double a : fitted.prior()) alpha += a;
  EXPECT_NEAR(alpha, 0.4, 0.1);
}

TEST(StochasticFit, FindsPlantedProfilesOfATable) {
  PlantOptions plan;
  plan.components = 2;
  plan.columns = {{"gaussian", 4, 0}, {"categorical", 6, 4}, {"poisson", 2, 0}};
  plan.alpha = 0.2;
  plan.separation = 2;
  const Model truth = plant(plan);
  const Simulated drawn = simulate(truth, {2000, 0.1, 100, 5});
  const Model fitted = fit(drawn.data, in_batches(100, 2));
  EXPECT_EQ(fitted.inference(), "standard");
  const double cells = fitted.summary().observations;
  FitOptions all = in_batches(0, 2);
  all.inference = "standard";
  const Model batch = fit(drawn.data, all);
  EXPECT_NEAR(fitted.summary().bound / cells, batch.summary().bound / cells, 0.01);
}

TEST(StochasticFit, ReportsWhatEvaluateRecomputes) {
  const Dataset data = test::corpus(500);
  const Model fitted = fit(data, in_batches(50, 2));
  EXPECT_NEAR(fitted.summary().bound, evaluate(fitted, data, by_bound()).log_likelihood,
              1e-9 * std::abs(fitted.summary().bound));
  EXPECT_EQ(fitted.summary().rows, 500U);
  double sum = 0;
  for (const double size : fitted.sizes()) sum += size;
  EXPECT_NEAR(sum, 1.0, 1e-12);
}

// More rows than are scored: counts stay exact, the bound is scaled from a sample.
TEST(StochasticFit, ManyRowsAreCountedAndSomeScored) {
  const Dataset data = test::corpus(30'000);
  FitOptions options = in_batches(1000, 2);
  options.passes = 1;
  options.seed = 4;
  const TemporaryFolder folder;
  write_stream(data, folder / "d.stream");
  const auto rows = open_stream(folder / "d.stream");
  const Model fitted = fit(*rows, options);
  const FitSummary& s = fitted.summary();
  EXPECT_EQ(s.scored_rows, 20'000U);
  EXPECT_EQ(s.rows, 30'000U);
  EXPECT_DOUBLE_EQ(s.observations, 12.0 * 30'000);
  EXPECT_EQ(fitted.parts().blocks[0].total, model::slot_totals(data, data.blocks[0]));
  // Scored in full, the bound lies within what the standard error promises.
  const double all = evaluate(fitted, data, by_bound()).log_likelihood;
  EXPECT_GT(s.bound_error, 0);
  EXPECT_LT(std::abs(s.bound - all), 4 * s.bound_error);
  // Rows are independent and of equal length: the error by hand, from the spread of the rows.
  const Evaluation some = evaluate(fitted, sample_rows(*rows, 20'000, 4), by_bound());
  const double by_rows = some.standard_error * std::sqrt(1 - 2.0 / 3) * 1.5;
  EXPECT_NEAR(s.bound_error, by_rows, 0.1 * by_rows);
  // What is reported can be recomputed.
  EXPECT_NEAR(s.bound / s.observations, some.log_likelihood / some.observations, 1e-10);
  fitted.save(folder / "m.medley");
  EXPECT_THAT(content_of(folder / "m.medley"),
              ::testing::HasSubstr("bound: scaled from a sample of 20000 rows"));
  EXPECT_EQ(Model::load(folder / "m.medley").summary().bound_error, s.bound_error);
}

TEST(StochasticFit, AStreamFileGivesTheSameModelAsTheDataInMemory) {
  const TemporaryFolder folder;
  for (const Dataset& data : {test::survey(400), test::corpus(400), test::survey_and_corpus(400)}) {
    write_stream(data, folder / "d.stream");
    FitOptions options = in_batches(50, 2);
    const auto rows = open_stream(folder / "d.stream");
    EXPECT_TRUE(bytes_of(fit(data, options), folder) == bytes_of(fit(*rows, options), folder));
  }
}

TEST(StochasticFit, TheNumberOfThreadsDoesNotShow) {
  const TemporaryFolder folder;
  const Dataset data = test::survey_and_corpus(700);
  FitOptions options = in_batches(100, 3);
  const std::string one = bytes_of(fit(data, options), folder);
  options.threads = 3;
  EXPECT_TRUE(bytes_of(fit(data, options), folder) == one);
}

TEST(StochasticFit, InterruptedAnywhereAndResumedItEndsWithTheSameBytes) {
  const TemporaryFolder folder;
  const Dataset data = test::corpus(600);
  // Correlated membership takes over from another one at the sixth of the 18 steps.
  for (const std::string preset : {"", "online-lda", "bayesian-nmf", "correlated-nmf"}) {
    FitOptions options = in_batches(100, 3);
    options.model = preset;
    options.passes = 3;
    const std::string straight = bytes_of(fit(data, options), folder);
    options.checkpoint = folder / "checkpoint";
    using Stops = std::vector<std::size_t>;
    for (const std::size_t stop_after :
         test::quick() ? Stops{1, 6, 11} : Stops{1, 5, 6, 7, 11, 18}) {
      options.resume = false;
      std::atomic<bool> stop{false};
      Hooks hooks;
      hooks.progress = [&](const Progress& p) { stop = p.iteration >= stop_after; };
      hooks.stop = &stop;
      const Model so_far = fit(data, options, hooks);
      EXPECT_EQ(so_far.summary().termination, Termination::interrupted);
      so_far.save(folder / "so-far.medley");
      EXPECT_EQ(Model::load(folder / "so-far.medley").prior(), so_far.prior());
      options.resume = true;
      EXPECT_TRUE(bytes_of(fit(data, options), folder) == straight) << preset << stop_after;
      EXPECT_TRUE(
          std::filesystem::remove(options.checkpoint));  // it stays until the model is saved
    }
  }
}

TEST(StochasticFit, ACheckpointOfOtherDataIsRefused) {
  const TemporaryFolder folder;
  FitOptions options = in_batches(100, 3);
  options.checkpoint = folder / "checkpoint";
  options.checkpoint_seconds = 0;
  std::atomic<bool> stop{false};
  Hooks hooks;
  hooks.progress = [&](const Progress&) { stop = true; };
  hooks.stop = &stop;
  (void)fit(test::corpus(600), options, hooks);
  options.resume = true;
  EXPECT_THROW((void)fit(test::corpus(600, {}, 2), options), InputError);
}

TEST(StochasticFit, EveryTenthMinibatchIsScoredBeforeItIsLearnt) {
  const Dataset data = test::corpus(1000);
  FitOptions options = in_batches(25, 2);
  options.passes = 1;
  std::vector<double> scores;
  std::size_t seen = 0;
  Hooks hooks;
  hooks.progress = [&](const Progress& p) {
    EXPECT_EQ(p.score.has_value(), p.iteration % 10 == 0);
    if (p.score) scores.push_back(*p.score);
    seen = p.rows_seen;
  };
  const Model fitted = fit(data, options, hooks);
  ASSERT_EQ(scores.size(), 4U);
  EXPECT_EQ(seen, 1000U);
  // Words of two kinds of documents: never better than knowing the kind and all probabilities
  // (0.8/3 + 0.2/6 for three words, 0.2/6 for the others), and worth no less than the unigrams.
  const double common = 0.8 / 3 + 0.2 / 6, rare = 0.2 / 6;
  const double most = 3 * common * std::log(common) + 3 * rare * std::log(rare);
  EXPECT_LT(scores.back(), most + 0.1);
  EXPECT_GT(scores.back(), std::log(1.0 / 6.0));
}

TEST(StochasticFit, RowsWithoutAnythingAndZeroCountsAreNoTrouble) {
  const Dataset data = test::read_file("c.ldac", test::corpus_ldac(100) + "0\n1 2:0\n0\n");
  ASSERT_EQ(data.rows, 103U);
  const Model fitted = fit(data, in_batches(20, 2));
  EXPECT_EQ(fitted.summary().empty_rows, 3U);
  EXPECT_TRUE(std::isfinite(fitted.summary().bound));
}

TEST(StochasticFit, OneComponentIsTheMarginal) {
  const Dataset data = test::corpus(200);
  const Model fitted = fit(data, in_batches(200, 1));
  const auto& block = fitted.parts().blocks[0];
  FitOptions all = in_batches(0, 1);
  const Model batch = fit(data, all);
  for (std::size_t s = 0; s < block.shape.slots(); ++s)
    EXPECT_NEAR(block.probability(s, 0), batch.parts().blocks[0].probability(s, 0), 1e-3);
}

}  // namespace
}  // namespace medley
