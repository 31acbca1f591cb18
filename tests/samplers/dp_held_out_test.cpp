// SPDX-License-Identifier: Apache-2.0
#include "samplers/dp_held_out.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "samplers/dp_mixture.hpp"
#include "samplers/visits.hpp"

namespace medley::samplers {
namespace {

// The first rows of all blocks.
Dataset first_rows(const Dataset& all, std::size_t rows) {
  Dataset out = all;
  out.rows = rows;
  for (Block& block : out.blocks) {
    block.row_start.resize(rows + 1);
    block.slot.resize(block.row_start[rows]);
    if (!block.weight.empty()) block.weight.resize(block.row_start[rows]);
    if (!block.value.empty()) block.value.resize(block.row_start[rows]);
  }
  return out;
}

// p(row | others) = p(all) / p(others), both by adding up every partition.
TEST(DpHeldOut, IsTheRatioOfEvidences) {
  const Small all = one_block(families::poisson_family, 6);
  Small others = all;
  others.data = first_rows(all.data, 5);
  const double truth = all.exact().log_evidence - others.exact().log_evidence;
  const DpModel model(others.data, others.options());
  DpSchedule schedule;
  schedule.starts = {1, 5};
  schedule.thin = 2;
  DpMixture mixture(model, schedule);
  mixture.run(4000, 1);
  std::vector<double> concentration;
  for (const DpDraws& draws : mixture.draws())
    concentration.insert(concentration.end(), draws.labels_concentration.begin(),
                         draws.labels_concentration.end());
  const std::vector<Labels> labels = mixture.labels();
  ASSERT_EQ(labels.size(), 4000U);
  const auto scores = dp_held_out(model, labels, concentration, all.data, 1);
  EXPECT_GT(scores[5].standard_error, 0);
  EXPECT_NEAR(scores[5].value, truth, 8 * scores[5].standard_error);
  const auto threaded = dp_held_out(model, labels, concentration, all.data, 3);
  for (std::size_t row = 0; row < 6; ++row) EXPECT_EQ(scores[row].value, threaded[row].value);
}

// A predictive is a distribution: over all answers it sums to 1.
TEST(DpHeldOut, SumsToOne) {
  const std::string name = families::categorical_family.name;
  const std::vector<std::size_t> levels = {3, 2};
  const Small problem({test::level_block(name, {{0, 1}, {2, -1}, {0, 0}, {1, 1}}, levels)});
  std::vector<std::vector<int>> answers;
  for (int first = 0; first < 3; ++first) {
    for (int second = 0; second < 2; ++second) answers.push_back({first, second});
  }
  const Dataset every = test::dataset({test::level_block(name, answers, levels)});
  const DpModel model(problem.data, problem.options());
  double sum = 0;
  for (const auto& score : dp_held_out(model, std::vector<Labels>{{0, 1, 0, 2}, {0, 0, 0, 1}},
                                       std::vector<double>{0.8, 2.5}, every, 1))
    sum += std::exp(score.value);
  EXPECT_NEAR(sum, 1, 1e-12);
}

}  // namespace
}  // namespace medley::samplers
