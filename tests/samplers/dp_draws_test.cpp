// SPDX-License-Identifier: Apache-2.0
#include "samplers/dp_draws.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>

#include "samplers/clusters.hpp"
#include "samplers/dp_held_out.hpp"
#include "samplers/dp_mixture.hpp"
#include "samplers/visits.hpp"
#include "support/quick.hpp"

namespace medley::samplers {
namespace {

// weight_k p(row | k) of a finite mixture, from the families' own likelihoods.
std::vector<double> parts_of(const DpModel& model, const DpFinite& mixture, const Dataset& data,
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
  std::vector<double> out;
  for (std::size_t k = 0; k < components; ++k)
    out.push_back(mixture.weight[k] * std::exp(total[k]));
  return out;
}

double density(const DpModel& model, const DpFinite& mixture, const Dataset& data,
               std::size_t row) {
  const std::vector<double> parts = parts_of(model, mixture, data, row);
  return std::accumulate(parts.begin(), parts.end(), 0.0);
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

// The test can fail: weights n_k / n without components of the prior are seen.
TEST_P(DrawsOfEveryFamily, WithoutComponentsOfThePriorItWouldNotBe) {
  const Small problem = one_block(*GetParam(), 6);
  const auto without = [](DpFinite& mixture) {
    std::ranges::fill(mixture.weight, 0.0);
    for (std::size_t k = 0; k < mixture.clusters; ++k)
      mixture.weight[k] = mixture.size[k] * (6 + 1.7) / 6;
  };
  EXPECT_GT(worst_deviation(problem, without), 5.5);
}

// How far the probabilities of sharing a cluster are off those of all partitions, at their worst
// over all pairs of rows: partitions from the exact posterior, a mixture for each, changed by the
// test, and both rows assigned by it.
template <class Change>
double worst_pair(const Small& problem, const Change& change) {
  const std::size_t draws = test::quick() ? 4000 : 20'000, rows = problem.data.rows;
  const DpModel model(problem.data, problem.options());
  const Exact exact = problem.exact();
  std::vector<double> off(rows * rows, 0.0);
  for (std::size_t p = 0; p < exact.p.size(); ++p) {
    for (std::size_t i = 0; i < rows * rows; ++i)
      off[i] -= exact.partition[p][i / rows] == exact.partition[p][i % rows] ? exact.p[p] : 0.0;
  }
  std::discrete_distribution<std::size_t> any(exact.p.begin(), exact.p.end());
  std::mt19937_64 bits(7);
  for (std::size_t sweep = 0; sweep < draws; ++sweep) {
    const Labels& labels = exact.partition[any(bits)];
    DpFinite mixture = dp_finite(model, {0, sweep, &labels, problem.concentration}, labels);
    change(mixture);
    std::vector<std::vector<double>> share;
    for (std::size_t row = 0; row < rows; ++row) {
      share.push_back(parts_of(model, mixture, problem.data, row));
      const double sum = std::accumulate(share[row].begin(), share[row].end(), 0.0);
      for (double& part : share[row]) part /= sum;
    }
    for (std::size_t i = 0; i < rows * rows; ++i)
      off[i] += std::inner_product(share[i / rows].begin(), share[i / rows].end(),
                                   share[i % rows].begin(), 0.0) /
                static_cast<double>(draws);
  }
  double worst = 0;
  for (std::size_t i = 0; i < rows * rows; ++i) {
    if (i / rows != i % rows) worst = std::max(worst, std::abs(off[i]));
  }
  return worst;
}

// A probability is known to 0.005 at most from so many draws: three times that.
double tolerated() {
  return test::quick() ? 0.03 : 0.015;
}

TEST_P(DrawsOfEveryFamily, RowsShareAClusterAsOftenAsAllPartitionsSay) {
  EXPECT_LT(worst_pair(one_block(*GetParam(), 5), [](DpFinite&) {}), tolerated());
}

// The test can fail: weights at their means, and one component for all rows that are in no
// cluster.
TEST(DpDraws, WeightsAtTheirMeansWouldKeepRowsApart) {
  const auto at_means = [](DpFinite& mixture) {
    std::ranges::fill(mixture.weight, 0.0);
    double rest = 1;
    for (std::size_t k = 0; k < mixture.clusters; ++k) rest -= mixture.weight[k] = mixture.size[k];
    mixture.weight[mixture.clusters] = rest;
  };
  if (!test::quick()) {  // it is 0.028
    EXPECT_GT(worst_pair(equal_rows(), at_means), tolerated());
  }
  EXPECT_LT(worst_pair(equal_rows(), [](DpFinite&) {}), tolerated());
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

TEST(DpDraws, WeightsHaveTheMomentsOfADirichletDistribution) {
  const Small problem = one_block(families::bernoulli_family, 4);
  const DpModel model(problem.data, problem.options());
  const Labels labels = {0, 1, 0, 0};
  constexpr std::size_t kDraws = 20'000;
  double first = 0, square = 0, together = 0, stick = 0;
  for (std::size_t sweep = 0; sweep < kDraws; ++sweep) {
    const DpFinite mixture = dp_finite(model, {2, sweep, &labels, 1}, {0, 0, 1, 1});
    ASSERT_EQ(mixture.clusters, 2U);
    ASSERT_EQ(mixture.size, (std::vector<double>{3 / 5.0, 1 / 5.0}));
    ASSERT_EQ(mixture.weight.size(), 2 + unmet_components(4, 1));
    ASSERT_NEAR(std::accumulate(mixture.weight.begin(), mixture.weight.end(), 0.0), 1, 1e-12);
    first += mixture.weight[0] / kDraws;
    square += mixture.weight[0] * mixture.weight[0] / kDraws;
    together += mixture.weight[0] * mixture.weight[1] / kDraws;
    stick += mixture.weight[2] / kDraws;
  }
  EXPECT_NEAR(first, 3 / 5.0, 0.01);
  EXPECT_NEAR(square, 3 * 4 / 30.0, 0.01);
  EXPECT_NEAR(together, 3 * 1 / 30.0, 0.005);
  EXPECT_NEAR(stick, 1 / 10.0, 0.005);  // half of what is in no cluster
  const DpFinite mixture = dp_finite(model, {2, 7, &labels, 1}, {0, 0, 1, 1});
  const std::vector<double> expected = {1 / 3.0, 2 / 3.0, 1, 0};
  ASSERT_EQ(mixture.overlap.size(), 4U);
  for (std::size_t i = 0; i < 4; ++i) EXPECT_NEAR(mixture.overlap[i], expected[i], 1e-15);
}

TEST(DpDraws, ManyRowsNeedOneComponentForThoseInNoCluster) {
  EXPECT_EQ(unmet_components(1000, 1), 1U);
  EXPECT_EQ(unmet_components(99, 1), 5U);  // 1/100, 1/200, ... 1/1600
  EXPECT_EQ(unmet_components(5, 1e6), 20U);
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
    EXPECT_EQ(one[d].clusters, clusters);
    EXPECT_EQ(one[d].weight.size(), clusters + unmet_components(9, kept[d].concentration));
  }
}

}  // namespace
}  // namespace medley::samplers
