// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "medley/report.hpp"

namespace medley {
namespace {

using testing::ContainsRegex;
using testing::HasSubstr;
using testing::Not;

FitSummary summary() {
  FitSummary s;
  s.termination = Termination::converged;
  s.iterations = 43;
  s.bound = -1234.5;
  s.observations = 1000;
  s.rows = 100;
  return s;
}

TEST(DescribeFit, SaysThatItConverged) {
  EXPECT_THAT(describe(summary()), HasSubstr("Converged after 43 iterations."));
  EXPECT_THAT(describe(summary()), HasSubstr("-1,234.50 (-1.2345 nats per observation"));
}

TEST(DescribeFit, SaysLoudlyThatItDidNot) {
  FitSummary s = summary();
  s.termination = Termination::iteration_limit;
  EXPECT_THAT(describe(s), HasSubstr("NOT CONVERGED"));
  EXPECT_THAT(describe(s), Not(HasSubstr("Converged after")));
}

TEST(DescribeFit, TellsWhatDegenerated) {
  FitSummary s = summary();
  s.warnings = {"component 3 is dead\x1b"};
  s.empty_rows = 2;
  EXPECT_THAT(describe(s), HasSubstr("Warning: component 3 is dead\xEF\xBF\xBD\n"));
  EXPECT_THAT(describe(s), HasSubstr("2 of 100 rows have nothing observed"));
}

TEST(DescribeFit, SaysHowFarStartsAgreed) {
  FitSummary s;
  s.restarts = {{{-1000},
                 Termination::converged,
                 {{"start 3 of 16", 40, -1000},
                  {"start 1 of 16", 8, -1020},
                  {"start 5 of 16", 20, -1000.5}}}};
  EXPECT_THAT(
      describe(s),
      HasSubstr("Begun with start 3 of 16. Of the 3 that were followed, 2 came within 0.1 % "
                "of the best; the farthest was 2 % behind."));
}

TEST(DescribeFit, ComparesRestarts) {
  FitSummary s = summary();
  s.restarts = {{{-20, -10}, Termination::converged}, {{-9, -7.5}, Termination::converged}};
  s.best_restart = 1;
  EXPECT_THAT(describe(s), HasSubstr("Best of 2 starts: number 2; the worst ended 2.50 lower."));
}

TEST(DescribeFit, SaysThatACollapsedFitHadOneStart) {
  FitSummary s = summary();
  s.restarts = {{{-20, -10}, Termination::converged}};
  EXPECT_THAT(describe(s), Not(HasSubstr("--restarts")));
  s.leave_one_out = true;
  EXPECT_THAT(describe(s),
              HasSubstr("from one start, and another can end elsewhere: `restarts=5`"));
  s.restarts.push_back(s.restarts[0]);
  EXPECT_THAT(describe(s), Not(HasSubstr("one start")));
}

TEST(DescribeFit, TheSmoothingOfManyBlocksIsARange) {
  FitSummary s = summary();
  s.smoothing = {0.102, 0.0666};
  EXPECT_THAT(describe(s), HasSubstr("Fitted smoothing: 0.102, 0.0666.\n"));
  s.smoothing.assign(30, 0.25);
  s.smoothing[7] = 0.171;
  s.smoothing[20] = 0.3757;
  EXPECT_THAT(describe(s), HasSubstr("Fitted smoothing: 0.171 to 0.376 over 30 blocks.\n"));
}

TEST(DescribeFit, ASavedModelHasNoClock) {
  EXPECT_THAT(describe(summary()), Not(HasSubstr("Took")));
}

TEST(DescribeData, TellsTheWeightOfABlockAndCountsItsCellsOnce) {
  Dataset data;
  data.rows = 1;
  Block& block = data.blocks.emplace_back();
  block.name = "data";
  block.family = "bernoulli";
  block.features = {{"q", {"no", "yes"}}};
  block.first_slot = {0, 2};
  block.row_start = {0, 2};
  block.slot = {0, 1};
  block.weight = {0.5F, 1.0F};
  data.schema.block_weight = {{"data", 0.5}};
  EXPECT_THAT(describe(data), HasSubstr("3 observed, each counted 0.5 times"));
}

TEST(DescribeEvaluation, SaysThatScoresAreTempered) {
  Evaluation scores;
  EXPECT_THAT(describe(scores), Not(HasSubstr("empered")));
  scores.tempered = true;
  EXPECT_THAT(describe(scores), HasSubstr("bound, tempered"));
}

TEST(DescribeData, CountsMissingAndUnseenCells) {
  Dataset data;
  data.rows = 3;
  Block& block = data.blocks.emplace_back();
  block.name = "data";
  block.family = "bernoulli";
  block.features = {{"q", {"no", "yes"}}};
  block.first_slot = {0, 2};
  block.row_start = {0, 1, 2, 2};
  block.slot = {0, 1};
  block.missing = 1;
  block.unseen = 4;
  data.warnings = {"column \"c\" was dropped"};
  const std::string text = describe(data);
  EXPECT_THAT(text, HasSubstr("Read 3 rows in 1 block."));
  EXPECT_THAT(text, HasSubstr("1 feature with 2 levels, 2 observed, 1 missing, 4 unseen"));
  EXPECT_THAT(text, HasSubstr("Warning: column \"c\" was dropped"));
}

TEST(DescribeEvaluation, NamesTheEstimatorAndTheBaseline) {
  Evaluation scores;
  scores.rows = 10;
  scores.observations = 100;
  scores.log_likelihood = -50;
  scores.baseline = -60;
  scores.above_baseline = 0.1;
  scores.above_error = 0.02;
  scores.reason = "as good as any";
  scores.block = {{"words", 60, -30, -36, 0.1, 0.03}, {"refs", 40, -25, -24, -0.025, 0.01}};
  scores.truth = {{"party", 10, 0.9, 0.4, 0.6}};
  const std::string text = describe(scores);
  EXPECT_THAT(text, ContainsRegex("estimator +bound  as good as any"));
  EXPECT_THAT(text, HasSubstr("0.1000  nats per observation, standard error 0.0200"));
  EXPECT_THAT(text, ContainsRegex("refs +-0.0250  .. 0.0100; 40 observations, on its own"));
  EXPECT_THAT(text, Not(HasSubstr("Too few draws")));
  scores.poorly_drawn = 3;
  EXPECT_THAT(describe(scores), HasSubstr("Too few draws: the estimates of 3 rows"));
  EXPECT_THAT(text, HasSubstr("Against column \"party\""));
}

}  // namespace
}  // namespace medley
