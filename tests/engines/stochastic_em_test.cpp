// SPDX-License-Identifier: Apache-2.0
// Stochastic EM against batch EM, for every family, membership and way of inference that has both.
#include "engines/stochastic_em.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "data/select_rows.hpp"
#include "families/registry.hpp"
#include "memberships/registry.hpp"
#include "support/em.hpp"
#include "support/toy.hpp"

namespace medley::engines {
namespace {

constexpr std::size_t kRows = 40, kComponents = 3;
constexpr memberships::Limits kLimits{1e-8, 500};

struct Way {
  const memberships::MembershipEntry* membership;
  const model::Inference* mode;
};

std::vector<Way> ways() {
  std::vector<Way> out;
  for (const auto* membership : memberships::registry()) {
    for (const model::Inference* mode : model::offered(*membership)) {
      if (test::by_variation(*mode, *membership) && !mode->needs(model::Need::all_rows))
        out.push_back({membership, mode});
    }
  }
  return out;
}

// A block of every family, some cells missing, rows weighted.
Dataset all_families(bool with_posteriors = false) {
  std::vector<Block> blocks;
  for (const auto* entry : families::registry()) {
    if (entry->posterior || !with_posteriors)
      blocks.push_back(test::random_block(*entry, kRows, 7, 0.2));
  }
  Dataset data = test::dataset(std::move(blocks));
  for (std::size_t row = 0; row < kRows; ++row) data.row_weight.push_back(row % 4 == 0 ? 2.0 : 1.0);
  return data;
}

EmModel random_model(const EmData& data, const Way& way, bool posterior = false) {
  EmModel model = make_model(data, *way.membership, *way.mode, kComponents);
  model.smoothing = {0.1, 0.5, posterior};
  test::randomise(model, *data.data, 11);
  if (auto* located = model.membership->located())
    located->begin_with(test::random_counts(50, kComponents, 12));
  for (auto& family : model.families) {
    if (posterior) family->set_strengths(std::vector<double>(family->strengths_size(), 20.0));
  }
  return model;
}

void expect_near(std::span<const double> a, std::span<const double> b, double tolerance) {
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t i = 0; i < a.size(); ++i)
    ASSERT_NEAR(a[i], b[i], tolerance * std::max(1.0, std::abs(b[i]))) << i;
}

void expect_batch_iteration(const Dataset& data, bool posterior) {
  const EmData prepared = prepare(data, 1);
  for (const Way& way : ways()) {
    SCOPED_TRACE(std::string(way.membership->name) + " " + way.mode->name);
    VariationalEm batch(prepared, random_model(prepared, way, posterior));
    batch.iterate(kLimits);
    StochasticEm stochastic(random_model(prepared, way, posterior), 1);
    stochastic.init_average_from(data, 3.0);  // what was there before must not matter
    const double bound = stochastic.step(data, {1.0, 1.0, true, kLimits});
    EXPECT_NEAR(bound, batch.bound(), 1e-10 * std::abs(bound));
    for (std::size_t b = 0; b < data.blocks.size(); ++b) {
      SCOPED_TRACE(data.blocks[b].family);
      expect_near(stochastic.model().families[b]->parameters(),
                  batch.model().families[b]->parameters(), 1e-10);
      expect_near(stochastic.model().families[b]->strengths(),
                  batch.model().families[b]->strengths(), 1e-10);
      EXPECT_EQ(stochastic.model().families[b]->strengths().empty(), !posterior);
    }
    expect_near(stochastic.model().membership->parameters(), batch.model().membership->parameters(),
                1e-10);
  }
}

TEST(StochasticEm, AFullStepWithAllRowsIsAnIterationOfBatchEm) {
  expect_batch_iteration(all_families(), false);
}

TEST(StochasticEm, AFullStepWithAllRowsIsAnIterationOfVariationalBayes) {
  expect_batch_iteration(all_families(true), true);
}

// E over minibatches of D/|C| statistics(C) = statistics of all rows, so steps are unbiased.
TEST(StochasticEm, TheMeanOverAllMinibatchesIsTheBatchStatistic) {
  const Dataset data = all_families();
  const EmData prepared = prepare(data, 1);
  constexpr std::size_t kSize = 8, kBatches = kRows / kSize;
  for (const Way& way : ways()) {
    SCOPED_TRACE(std::string(way.membership->name) + " " + way.mode->name);
    VariationalEm batch(prepared, random_model(prepared, way));
    Statistics truth(batch.model());
    batch.estep(kLimits, truth);
    const memberships::PriorStatistics prior = truth.prior();
    std::vector<std::vector<double>> mean;
    for (auto& family : batch.model().families) mean.emplace_back(family->statistics_size(), 0.0);
    std::vector<double> prior_mean(prior.sum.size(), 0.0);
    double rows_mean = 0;
    for (std::size_t i = 0; i < kBatches; ++i) {
      std::vector<std::size_t> rows;
      for (std::size_t j = 0; j < kSize; ++j) rows.push_back(i + j * kBatches);
      StochasticEm stochastic(random_model(prepared, way), 1);
      stochastic.step(data::select_rows(data, rows),
                      {1.0, static_cast<double>(kBatches), false, kLimits});
      for (std::size_t b = 0; b < mean.size(); ++b) {
        for (std::size_t s = 0; s < mean[b].size(); ++s)
          mean[b][s] += stochastic.statistics(b)[s] / static_cast<double>(kBatches);
      }
      rows_mean += stochastic.prior().rows / static_cast<double>(kBatches);
      for (std::size_t k = 0; k < prior_mean.size(); ++k)
        prior_mean[k] += stochastic.prior().sum[k] / static_cast<double>(kBatches);
    }
    // To the rounding of sweeps in float: rows of a batch settle abreast (decision 0022).
    constexpr double kRounding = 1e-5;
    for (std::size_t b = 0; b < mean.size(); ++b) {
      SCOPED_TRACE(data.blocks[b].family);
      expect_near(mean[b], truth.table(b), kRounding);
    }
    expect_near(prior_mean, prior.sum, kRounding);
    EXPECT_NEAR(rows_mean, prior.rows, 1e-10);
  }
}

// (1 - rho) before + rho scale minibatch, written out for the counts of one word under one topic.
TEST(StochasticEm, StatisticsAreAveragedAndScaled) {
  const Dataset data = test::dataset({test::token_block("words", {{2, 1}, {0, 4}})});
  const EmData prepared = prepare(data, 1);
  const auto& single = memberships::single_membership;
  EmModel model = make_model(prepared, single, model::usual_inference(single), 1);
  StochasticEm stochastic(std::move(model), 1);
  const Dataset first = data::select_rows(data, std::vector<std::size_t>{0});
  const Dataset second = data::select_rows(data, std::vector<std::size_t>{1});
  stochastic.step(first, {0.5, 2.0, true, kLimits});  // half of 2 x (2, 1)
  const std::size_t padded = stochastic.model().families[0]->padded();
  EXPECT_DOUBLE_EQ(stochastic.statistics(0)[0], 2.0);
  EXPECT_DOUBLE_EQ(stochastic.statistics(0)[padded], 1.0);
  stochastic.step(second, {0.25, 2.0, true, kLimits});  // 3/4 of that and 1/4 of 2 x (0, 4)
  EXPECT_DOUBLE_EQ(stochastic.statistics(0)[0], 1.5);
  EXPECT_DOUBLE_EQ(stochastic.statistics(0)[padded], 2.75);
  EXPECT_DOUBLE_EQ(stochastic.model().families[0]->parameters()[0], 1.5 / 4.25);
}

TEST(StochasticEm, TheNumberOfThreadsDoesNotShow) {
  const Dataset data = all_families();
  const EmData prepared = prepare(data, 1);
  for (const Way& way : ways()) {
    StochasticEm one(random_model(prepared, way), 1), three(random_model(prepared, way), 3);
    for (int i = 0; i < 3; ++i) {
      one.step(data, {0.4, 2.0, true, {1e-3, 20}});
      three.step(data, {0.4, 2.0, true, {1e-3, 20}});
    }
    for (std::size_t b = 0; b < data.blocks.size(); ++b) {
      EXPECT_TRUE(std::ranges::equal(one.model().families[b]->parameters(),
                                     three.model().families[b]->parameters()));
    }
    EXPECT_TRUE(std::ranges::equal(one.model().membership->parameters(),
                                   three.model().membership->parameters()));
  }
}

}  // namespace
}  // namespace medley::engines
