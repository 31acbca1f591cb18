// SPDX-License-Identifier: Apache-2.0
#include "samplers/dp_draws.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "samplers/dp_held_out.hpp"
#include "samplers/dp_mixture.hpp"
#include "samplers/partitions.hpp"
#include "samplers/visits.hpp"

namespace medley::samplers {
namespace {

// p(row) under a finite mixture, from the families' own likelihoods.
double density(const DpModel& model, const DpFinite& mixture, const Dataset& data,
               std::size_t row) {
  const std::size_t components = mixture.weight.size();
  std::vector<double> total;
  for (std::size_t b = 0; b < data.blocks.size(); ++b) {
    const Block& block = model.data().blocks[b];
    const auto family = families::find(block.family)->make(block, components);
    total.resize(family->padded(), 0.0);
    family->set_parameters(mixture.parameters[b]);
    family->prepare(true);
    family->add_log_rows(data.blocks[b], row, total.data());
  }
  double sum = 0;
  for (std::size_t k = 0; k < components; ++k) sum += mixture.weight[k] * std::exp(total[k]);
  return sum;
}

// How many standard errors the mean density of the drawn mixtures, changed by the test, is off the
// predictive with parameters integrated out; at its worst over all rows.
template <class Change>
double worst_deviation(const Small& problem, const Change& change) {
  constexpr std::size_t kDraws = 2500;
  const DpModel model(problem.data, problem.options());
  const Labels labels = {0, 1, 0, 2, 1, 0};
  constexpr double kConcentration = 1.7;
  const auto truth = dp_held_out(model, std::vector<Labels>{labels},
                                 std::vector<double>{kConcentration}, problem.data, 1);
  std::vector<double> sum(6, 0.0), squares(6, 0.0);
  for (std::size_t sweep = 0; sweep < kDraws; ++sweep) {
    DpFinite mixture = dp_finite(model, {0, sweep, &labels, kConcentration}, labels);
    change(mixture);
    for (std::size_t row = 0; row < 6; ++row) {
      const double p = density(model, mixture, problem.data, row) / std::exp(truth[row].value);
      sum[row] += p / kDraws;
      squares[row] += p * p / kDraws;
    }
  }
  double worst = 0;
  for (std::size_t row = 0; row < 6; ++row) {
    const double error = std::sqrt((squares[row] - sum[row] * sum[row]) / kDraws) + 1e-12;
    worst = std::max(worst, std::abs(sum[row] - 1) / error);
  }
  return worst;
}

class DrawsOfEveryFamily : public testing::TestWithParam<const families::FamilyEntry*> {};

TEST_P(DrawsOfEveryFamily, TheMeanOverDrawsIsThePredictive) {
  const Small problem = one_block(*GetParam(), 6);
  EXPECT_LT(worst_deviation(problem, [](DpFinite&) {}), 5.5);
}

// The test can fail: weights n_k / n without a component of the prior are seen.
TEST_P(DrawsOfEveryFamily, WithoutTheComponentOfThePriorItWouldNotBe) {
  const Small problem = one_block(*GetParam(), 6);
  const auto without = [](DpFinite& mixture) {
    for (double& weight : mixture.weight) weight *= (6 + 1.7) / 6;
    mixture.weight.back() = 0;
  };
  EXPECT_GT(worst_deviation(problem, without), 5.5);
}

std::vector<const families::FamilyEntry*> conjugate_families() {
  std::vector<const families::FamilyEntry*> all;
  for (const families::FamilyEntry* entry : families::registry()) {
    if (entry->conjugate != nullptr) all.push_back(entry);
  }
  return all;
}
INSTANTIATE_TEST_SUITE_P(DpDraws, DrawsOfEveryFamily, testing::ValuesIn(conjugate_families()),
                         [](const auto& param) { return std::string(param.param->name); });

TEST(DpDraws, WeightsAreSharesOfRowsAndOfTheConcentration) {
  const Small problem = one_block(families::bernoulli_family, 4);
  const DpModel model(problem.data, problem.options());
  const Labels labels = {0, 1, 0, 0};
  const DpFinite mixture = dp_finite(model, {2, 7, &labels, 1}, {0, 0, 1, 1});
  EXPECT_EQ(mixture.weight, (std::vector<double>{3 / 5.0, 1 / 5.0, 1 / 5.0}));
  ASSERT_EQ(mixture.overlap.size(), 4U);
  const std::vector<double> expected = {1 / 3.0, 2 / 3.0, 1, 0};
  for (std::size_t i = 0; i < 4; ++i) EXPECT_NEAR(mixture.overlap[i], expected[i], 1e-15);
}

TEST(DpDraws, ParametersDependOnSeedChainAndSweepAlone) {
  const Small problem = mixed_blocks(6);
  const DpModel model(problem.data, problem.options());
  const Labels labels = {0, 1, 0, 2, 1, 0};
  const auto drawn = [&](std::size_t chain, std::size_t sweep) {
    return dp_finite(model, {chain, sweep, &labels, 1}, labels).parameters;
  };
  EXPECT_EQ(drawn(1, 5), drawn(1, 5));
  EXPECT_NE(drawn(1, 5), drawn(1, 6));
  EXPECT_NE(drawn(1, 5), drawn(2, 5));
}

TEST(DpDraws, EveryKeptDrawIsTold) {
  const Small problem = one_block(families::poisson_family, 9);
  const DpModel model(problem.data, problem.options());
  DpSchedule schedule;
  schedule.starts = {1, 9};
  schedule.burn_in = 10;
  schedule.thin = 5;
  DpMixture mixture(model, schedule);
  mixture.run(27, 2);
  const std::vector<DpKept> kept = mixture.kept();
  ASSERT_EQ(kept.size(), 6U);
  EXPECT_EQ(kept[0].sweep, 15U);
  EXPECT_EQ(kept[5].sweep, 25U);
  EXPECT_EQ(kept[5].chain, 1U);
  const std::vector<Labels> labels = mixture.labels();
  const Labels& point = labels[least_squares(labels)];
  const auto one = dp_draws(model, kept, point, 1), three = dp_draws(model, kept, point, 3);
  for (std::size_t d = 0; d < 6; ++d) {
    EXPECT_EQ(*kept[d].labels, labels[d]);
    EXPECT_EQ(one[d].parameters, three[d].parameters);
    const std::size_t clusters = 1 + *std::ranges::max_element(labels[d]);
    EXPECT_EQ(one[d].weight.size(), clusters + 1);
  }
}

}  // namespace
}  // namespace medley::samplers
