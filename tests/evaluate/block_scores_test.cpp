// SPDX-License-Identifier: Apache-2.0
#include "evaluate/block_scores.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "medley/fit.hpp"
#include "support/files.hpp"

namespace medley::evaluation {
namespace {

Model fitted(const Dataset& data, const std::string& name) {
  FitOptions options;
  options.model = name;
  options.components = 2;
  return fit(data, options);
}

// A block alone is scored as the whole file is with the other blocks never read.
TEST(BlockScores, ABlockIsScoredWithTheOthersHidden) {
  const Dataset data = test::survey_and_corpus(40);
  const Model model = fitted(data, "mmnb");
  for (const char* estimator : {"exact", "bound", "importance"}) {
    EvaluateOptions options;
    options.estimator = estimator;
    const Evaluation both = evaluate(model, data, options);
    ASSERT_EQ(both.block.size(), data.blocks.size());
    double observations = 0, baseline = 0;
    for (std::size_t b = 0; b < data.blocks.size(); ++b) {
      Dataset one = data;
      for (std::size_t other = 0; other < data.blocks.size(); ++other) {
        if (other == b) continue;
        one.blocks[other] = data.blocks[other].shape();
        one.blocks[other].row_start.assign(data.rows + 1, 0);
      }
      const Evaluation alone = evaluate(model, one, options);
      EXPECT_EQ(both.block[b].block, data.blocks[b].name);
      EXPECT_NEAR(both.block[b].log_likelihood, alone.log_likelihood, 1e-9);
      EXPECT_NEAR(both.block[b].above_baseline, alone.above_baseline, 1e-12);
      EXPECT_NEAR(both.block[b].above_error, alone.above_error, 1e-12);
      observations += both.block[b].observations;
      baseline += both.block[b].baseline;
    }
    EXPECT_NEAR(observations, both.observations, 1e-9);
    EXPECT_NEAR(baseline, both.baseline, 1e-9);
  }
}

// Under completion the blocks share what was observed, so their scores add up.
TEST(BlockScores, BlocksOfACompletionAddUp) {
  const Dataset data = test::survey_and_corpus(40);
  EvaluateOptions options;
  options.estimator = "completion";
  const Evaluation e = evaluate(fitted(data, "mmnb"), data, options);
  double log_likelihood = 0;
  for (const BlockScore& block : e.block) log_likelihood += block.log_likelihood;
  EXPECT_EQ(e.block.size(), data.blocks.size());
  EXPECT_NEAR(log_likelihood, e.log_likelihood, 1e-9);
}

// Three rows by hand: A = (2*1 + 1*3 + 1*2) / (2*2 + 1*1 + 1*4) = 7/9, residuals w (g - A m).
TEST(Gain, IsARatioOfSumsWithItsError) {
  const std::vector<double> gain = {1, 3, 2}, observations = {2, 1, 4}, weight = {2, 1, 1};
  const Gain g = gain_per_observation(gain, observations, weight);
  const double a = 7.0 / 9.0;
  const double squares = std::pow(2 * (1 - 2 * a), 2) + std::pow(3 - a, 2) + std::pow(2 - 4 * a, 2);
  EXPECT_NEAR(g.per_observation, a, 1e-14);
  EXPECT_NEAR(g.error, std::sqrt(squares * 3 / 2) / 9, 1e-14);
  EXPECT_EQ(gain_per_observation({}, {}, {}).per_observation, 0);
}

}  // namespace
}  // namespace medley::evaluation
