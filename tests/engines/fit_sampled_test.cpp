// SPDX-License-Identifier: Apache-2.0
// Sampled models from end to end: what chains drew as a model, planted truth found again, the same
// bytes at any number of threads and after an interruption.
#include "engines/fit_sampled.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <cmath>
#include <filesystem>

#include "medley/error.hpp"
#include "medley/evaluate.hpp"
#include "medley/fit.hpp"
#include "medley/simulate.hpp"
#include "medley/uncertainty.hpp"
#include "model/model.hpp"
#include "support/files.hpp"

namespace medley {
namespace {

using testing::content_of;
using ::testing::HasSubstr;
using testing::TemporaryFolder;

FitOptions sampling(const std::string& model, std::size_t components, std::size_t sweeps) {
  FitOptions options;
  options.model = model;
  options.components = components;
  options.threads = 1;
  options.chains.chains = 2;
  options.chains.sweeps = sweeps;
  options.chains.draws = 20;
  return options;
}

std::string bytes_of(const Model& model, const TemporaryFolder& folder) {
  model.save(folder / "m.medley");
  return content_of(folder / "m.medley");
}

TEST(FitSampled, GradeOfMembershipFindsPlantedProfiles) {
  PlantOptions plan;
  plan.components = 2;
  plan.columns = {{"bernoulli", 8, 0}, {"categorical", 4, 3}, {"gaussian", 2, 0}};
  plan.alpha = 0.2;
  plan.separation = 2;
  const Model truth = plant(plan);
  const Simulated drawn = simulate(truth, {400, 0.1, 100, 5});
  const Model model = fit(drawn.data, sampling("gom-bayes", 2, 160));
  EXPECT_EQ(model.summary().termination, Termination::sampled);
  EXPECT_EQ(model.parts().draws->draw.size(), 40U);
  EXPECT_EQ(model.parts().draws->draw.back().sweep, 159U);  // every eighth was kept
  // The truth itself is the yardstick: nats per cell of rows that nobody has seen.
  const Simulated fresh = simulate(truth, {300, 0.1, 100, 6});
  EvaluateOptions exact;
  exact.estimator = "exact";
  const double best = evaluate(truth, fresh.data, exact).log_likelihood;
  const Evaluation found = evaluate(model, fresh.data, exact);
  EXPECT_LT(std::abs(found.log_likelihood - best) / found.observations, 0.02);
  EXPECT_GT(found.above_baseline, 5 * found.above_error);
  double alpha = 0;
  for (const double a : model.prior()) alpha += a;
  EXPECT_NEAR(alpha, 0.4, 0.15);
}

// Clusters far apart: every draw has them, and rows are where they belong.
TEST(FitSampled, DirichletProcessMixtureFindsPlantedClusters) {
  PlantOptions plan;
  plan.model = "mnb";
  plan.components = 3;
  plan.columns = {{"gaussian", 3, 0}, {"bernoulli", 10, 0}};
  plan.separation = 4;
  const Model truth = plant(plan);
  const Simulated drawn = simulate(truth, {150, 0.1, 100, 5});
  FitOptions options = sampling("dp-mixture", 0, 100);
  options.chains.starts = {1, 50};
  const Model model = fit(drawn.data, options);
  EXPECT_EQ(model.components(), 3U);
  EXPECT_EQ(model.membership(), "infinite");
  const Diagnosis diagnosis = diagnose(model);
  double total = 0;
  for (const auto& [clusters, part] : diagnosis.clusters) total += part;
  EXPECT_NEAR(total, 1, 1e-12);
  EXPECT_GT(diagnosis.clusters.at(3), 0.3);
  // The top profile of a row against where the truth puts it.
  const Memberships found = transform(model, drawn.data), known = transform(truth, drawn.data);
  std::size_t right[3][3] = {};
  for (std::size_t row = 0; row < drawn.data.rows; ++row) {
    const auto top = [](const double* share, std::size_t count) {
      return static_cast<std::size_t>(std::max_element(share, share + count) - share);
    };
    ++right[top(found.row(row), 3)][top(known.row(row), 3)];
  }
  std::size_t agree = 0;
  for (const auto& of : right) agree += *std::max_element(of, of + 3);
  EXPECT_GT(agree, 140U);
}

TEST(FitSampled, TheNumberOfThreadsDoesNotShow) {
  const TemporaryFolder folder;
  const Dataset data = test::survey_and_corpus(60);
  for (const char* model : {"gom-bayes", "dp-mixture"}) {
    FitOptions options = sampling(model, std::string(model) == "gom-bayes" ? 2 : 0, 30);
    const std::string one = bytes_of(fit(data, options), folder);
    options.threads = 3;
    EXPECT_TRUE(bytes_of(fit(data, options), folder) == one) << model;
  }
}

TEST(FitSampled, InterruptedAndResumedItEndsWithTheSameBytes) {
  const TemporaryFolder folder;
  const Dataset data = test::survey(40);
  for (const char* model : {"gom-bayes", "dp-mixture"}) {
    FitOptions options = sampling(model, std::string(model) == "gom-bayes" ? 2 : 0, 150);
    options.chains.burn_in = 70;
    const std::string straight = bytes_of(fit(data, options), folder);
    options.checkpoint = folder / "checkpoint";
    for (const std::size_t stop_after : {3U, 105U, 219U}) {
      options.resume = false;
      std::atomic<bool> stop{false};
      Hooks hooks;
      hooks.progress = [&](const Progress& p) { stop = stop || p.iteration >= stop_after; };
      hooks.stop = &stop;
      const Model so_far = fit(data, options, hooks);
      EXPECT_EQ(so_far.summary().termination, Termination::interrupted);
      so_far.save(folder / "so-far.medley");
      EXPECT_NO_THROW((void)Model::load(folder / "so-far.medley"));
      options.resume = true;
      EXPECT_TRUE(bytes_of(fit(data, options), folder) == straight) << model << stop_after;
      EXPECT_TRUE(
          std::filesystem::remove(options.checkpoint));  // it stays until the model is saved
    }
  }
}

TEST(FitSampled, AFixedAlphaIsHeld) {
  FitOptions options = sampling("gom-bayes", 3, 20);
  options.alpha = "fixed:0.25";
  const Model model = fit(test::survey(40), options);
  for (const double a : model.prior()) EXPECT_DOUBLE_EQ(a, 0.25);
}

std::string refusal(const Dataset& data, const FitOptions& options) {
  try {
    (void)fit(data, options);
  } catch (const InputError& e) {
    return e.what();
  }
  return "";
}

TEST(FitSampled, WhatCannotBeSampledIsSaid) {
  const Dataset data = test::survey(40);
  const FitOptions good = sampling("gom-bayes", 2, 20);
  FitOptions options = good;
  options.batch = 10;
  EXPECT_THAT(refusal(data, options), HasSubstr("minibatch"));
  options = good;
  options.restarts = 3;
  EXPECT_THAT(refusal(data, options), HasSubstr("`chains=N`"));
  options = good;
  options.smoothing = 0;
  EXPECT_THAT(refusal(data, options), HasSubstr("prior"));
  options = good;
  options.chains.alpha_rate = 0;
  EXPECT_THAT(refusal(data, options), HasSubstr("`alpha_prior`"));
  options = sampling("dp-mixture", 4, 20);
  EXPECT_THAT(refusal(data, options), HasSubstr("`k`"));
  options.components = 0;
  options.chains.concentration = -1;
  EXPECT_THAT(refusal(data, options), HasSubstr("`concentration`"));
  options = sampling("gom-bayes", 0, 20);
  EXPECT_THAT(refusal(data, options), HasSubstr("`k`"));
  const Dataset numbers = test::read_file("n.csv", "a,b\n1.5,2\n2.5,3\n0.5,1\n1,2\n3,4\n", [] {
    ReadOptions read;
    read.family = {{"a", "gamma"}};  // not a family
    return read;
  }());
  EXPECT_THAT(refusal(numbers, good), HasSubstr("cannot be sampled"));
}

}  // namespace
}  // namespace medley
