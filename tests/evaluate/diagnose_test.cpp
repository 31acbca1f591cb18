// SPDX-License-Identifier: Apache-2.0
// Verdicts on chains that were made up: some that agree, some that do not.
#include "medley/uncertainty.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "core/rng.hpp"
#include "medley/evaluate.hpp"
#include "medley/fit.hpp"
#include "medley/report.hpp"
#include "model/model.hpp"
#include "support/as_draws.hpp"
#include "support/files.hpp"

namespace medley {
namespace {

using ::testing::HasSubstr;

Model fitted(const Dataset& data, std::uint64_t seed) {
  FitOptions options;
  options.components = 2;
  options.model = "mmnb";
  options.init = "random";
  options.threads = 1;
  options.seed = seed;
  options.max_iterations = 10;
  return fit(data, options);
}

// Two draws, and traces of two chains of independent normal numbers `apart` standard deviations
// from one another.
Model with_traces(double apart, std::size_t sweeps, const std::string& name) {
  const Dataset data = test::survey(60);
  const Model model = test::as_draws({fitted(data, 1), fitted(data, 2)}, {{}, {}});
  auto parts = model.parts().clone();
  auto draws = std::make_shared<model::Draws>(*parts->draws);
  core::Rng rng(5, 1);
  draws->sweeps = sweeps;
  draws->trace = {{name, std::vector<std::vector<double>>(2)}};
  for (std::size_t c = 0; c < 2; ++c) {
    for (std::size_t i = 0; i < sweeps; ++i)
      draws->trace[0].chain[c].push_back(
          std::round(10 * (rng.normal() + apart * static_cast<double>(c))) / 10);
  }
  parts->draws = draws;
  return Model(parts);
}

TEST(Diagnose, ChainsThatAgreeHaveMixed) {
  const Diagnosis found = diagnose(with_traces(0, 500, "log-likelihood"));
  EXPECT_TRUE(found.mixed);
  EXPECT_EQ(found.chains, 2U);
  EXPECT_NEAR(found.quantity[0].mean, 0, 0.15);
  EXPECT_NEAR(found.quantity[0].sd, 1, 0.1);
  EXPECT_NEAR(found.quantity[0].high, 1.645, 0.2);  // of a normal distribution
  EXPECT_GT(found.quantity[0].ess_bulk, 600);
  EXPECT_THAT(describe(found), HasSubstr("have mixed"));
}

TEST(Diagnose, MixedChainsDoNotMakeAWarningSound) {
  auto parts = with_traces(0, 500, "log-likelihood").parts().clone();
  parts->summary.termination = Termination::sampled;  // the draws were made by a fit cut short
  parts->summary.warnings.clear();
  EXPECT_TRUE(diagnose(Model(parts)).sound);
  parts->summary.warnings.emplace_back("something is odd");
  const Diagnosis found = diagnose(Model(parts));
  EXPECT_TRUE(found.mixed);
  EXPECT_FALSE(found.sound);
}

TEST(Diagnose, ChainsThatDisagreeHaveNot) {
  const Diagnosis found = diagnose(with_traces(2, 500, "log-likelihood"));
  EXPECT_FALSE(found.mixed);
  EXPECT_GT(found.quantity[0].rhat, 1.3);
  EXPECT_GT(found.sweeps_needed, 500U);
  const std::string text = describe(found);
  EXPECT_THAT(text, HasSubstr("Not mixed: chains disagree about log-likelihood"));
  EXPECT_THAT(text, HasSubstr("`sweeps="));
  EXPECT_THAT(text, HasSubstr("no choice between models should rest on it"));
}

TEST(Diagnose, TooFewDrawsAreTooFew) {
  const Diagnosis found = diagnose(with_traces(0, 100, "log-likelihood"));
  EXPECT_FALSE(found.mixed);
  EXPECT_THAT(describe(found), HasSubstr("should have 400"));
  EXPECT_GE(found.sweeps_needed, 200U);
}

TEST(Diagnose, TheCriterionIsItsFormula) {
  const Diagnosis found = diagnose(with_traces(0, 500, "log-likelihood"));
  // Mean deviance 300, plug-in 280: 20 parameters, 320.
  EXPECT_DOUBLE_EQ(found.conditional->effective(), 20);
  EXPECT_DOUBLE_EQ(found.conditional->dic(), 320);
}

TEST(Diagnose, TheMarginalCriterionIsOfTheLikelihoodsOfTheDraws) {
  const Dataset data = test::survey(60);
  const std::vector<Model> each = {fitted(data, 1), fitted(data, 2)};
  const Diagnosis found = diagnose(test::as_draws(each, {{}, {}}), data, 1);
  EvaluateOptions exact;
  exact.estimator = "exact";
  const double first = -2 * evaluate(each[0], data, exact).log_likelihood;
  const double second = -2 * evaluate(each[1], data, exact).log_likelihood;
  ASSERT_TRUE(found.marginal);
  EXPECT_NEAR(found.marginal->mean_deviance, (first + second) / 2, 1e-6);
  EXPECT_NEAR(found.marginal->plug_in, first, 1e-6);  // its tables are shown
}

TEST(Diagnose, ThePosteriorOfTheNumberOfClusters) {
  const Model model = with_traces(0, 500, model::kClusters);
  double share = 0;
  for (const auto& [k, part] : diagnose(model).clusters) share += part;
  EXPECT_NEAR(share, 1, 1e-12);
}

TEST(Diagnose, AFitIsToldInWordsToo) {
  const Dataset data = test::survey(60);
  FitOptions options;
  options.components = 2;
  options.threads = 1;
  options.max_iterations = 1;
  EXPECT_THAT(describe(diagnose(fit(data, options))), HasSubstr("`max_iterations`"));
  options.max_iterations = 500;
  const Diagnosis good = diagnose(fit(data, options));
  EXPECT_THAT(good.finding.front().text, HasSubstr("Converged after"));
  EXPECT_TRUE(good.parameter.empty());
}

TEST(Diagnose, ParametersAreFollowedThroughTheDraws) {
  const Dataset data = test::survey(60);
  const std::vector<Model> each = {fitted(data, 1), fitted(data, 2)};
  const Diagnosis found = diagnose(test::as_draws(each, {{}, {}}));
  const auto alpha = std::find_if(found.parameter.begin(), found.parameter.end(),
                                  [](const ChainQuantity& q) { return q.name == "alpha[2]"; });
  ASSERT_NE(alpha, found.parameter.end());
  EXPECT_NEAR(alpha->mean, (each[0].prior()[1] + each[1].prior()[1]) / 2, 1e-12);
}

}  // namespace
}  // namespace medley
