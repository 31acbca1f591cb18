// SPDX-License-Identifier: Apache-2.0
#include "samplers/gom_sampler.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "medley/error.hpp"
#include "samplers/gom_survey.hpp"
#include "support/toy.hpp"

namespace medley::samplers {
namespace {

GomSchedule short_schedule(std::size_t chains) {
  GomSchedule schedule;
  schedule.chains = chains;
  schedule.burn_in = 20;
  schedule.thin = 5;
  schedule.traced = 7;
  return schedule;
}

void expect_same(const GomSampler& one, const GomSampler& other) {
  EXPECT_EQ(one.log_likelihood(), other.log_likelihood());
  EXPECT_EQ(one.alpha0(), other.alpha0());
  EXPECT_EQ(one.cell_probabilities(), other.cell_probabilities());
  const GomMeans a = one.means(), b = other.means();
  EXPECT_EQ(a.alpha, b.alpha);
  EXPECT_EQ(a.tables, b.tables);
  EXPECT_EQ(a.share, b.share);
  EXPECT_EQ(one.dic().dic(), other.dic().dic());
}

GomOptions options_of(std::size_t components) {
  GomOptions options;
  options.components = components;
  return options;
}

TEST(GomSampler, ThreadsChangeNothing) {
  const Survey survey(600, 5);
  const GomModel model(survey.data, options_of(2));
  for (const std::size_t chains : {std::size_t{1}, std::size_t{3}}) {
    GomSampler one(model, short_schedule(chains)), two(model, short_schedule(chains));
    EXPECT_TRUE(one.run(40, 1));
    EXPECT_TRUE(two.run(40, 2));
    expect_same(one, two);
    EXPECT_EQ(one.draws().size(), 4 * chains);
    EXPECT_EQ(one.cell_probabilities().size(), 7U);
    EXPECT_EQ(one.alpha0()[0].size(), 20U);
  }
}

TEST(GomSampler, GoesOnWithTheSameDrawsAfterItWasSaved) {
  const Survey survey(60, 5);
  const GomModel model(survey.data, options_of(3));
  for (const std::size_t first : {std::size_t{10}, std::size_t{22}, std::size_t{31}}) {
    GomSampler whole(model, short_schedule(2)), before(model, short_schedule(2)),
        after(model, short_schedule(2));
    whole.run(50, 2);
    before.run(first, 1);
    core::TensorFile file;
    before.save(file);
    after.restore(core::parse_tensors(core::serialise_tensors(file), "memory"));
    after.run(50, 1);
    expect_same(whole, after);
  }
}

TEST(GomSampler, ARecordThatIsNoneIsRefused) {
  const Survey survey(30, 5);
  const GomModel model(survey.data, options_of(2));
  GomSampler sampler(model, short_schedule(1));
  sampler.run(30, 1);
  for (const char* name : {"log_likelihood", "cells", "probability", "share", "draws.alpha"}) {
    core::TensorFile file;
    sampler.save(file);
    const std::string key = std::string("chain0.record.") + name;
    file.tensors.erase(key);
    file.put(key, std::vector<double>(3, 1.0));
    EXPECT_THROW(sampler.restore(file), InputError) << name;
  }
}

// With another number of sweeps it would wait for a record that never comes.
TEST(GomSampler, RecordsThatDoNotFitTheSweepsAreRefused) {
  const Survey survey(30, 5);
  const GomModel model(survey.data, options_of(2));
  GomSampler sampler(model, short_schedule(1));
  sampler.run(30, 1);
  for (const std::int64_t sweep : {1, 28, 32}) {
    core::TensorFile file;
    sampler.save(file);
    file.tensors.erase("chain0.sweep");
    file.put("chain0.sweep", std::vector<std::int64_t>{sweep});
    EXPECT_THROW(sampler.restore(file), InputError) << sweep;
  }
}

TEST(GomSampler, TheHookHearsEverySweepAndMayStop) {
  const Survey survey(30, 5);
  const GomModel model(survey.data, options_of(2));
  GomSampler sampler(model, short_schedule(2));
  std::vector<std::size_t> heard(2, 0);
  const GomHook hook = [&](std::size_t chain, std::size_t sweep, double log_likelihood) {
    EXPECT_EQ(sweep, ++heard[chain]);
    EXPECT_LT(log_likelihood, 0);
    return heard[0] + heard[1] < 71;
  };
  EXPECT_FALSE(sampler.run(100, 2, hook));
  EXPECT_GE(heard[0] + heard[1], 71U);
  EXPECT_LE(heard[0] + heard[1], 73U);
  const math::Chains traces = sampler.log_likelihood();
  EXPECT_EQ(traces[0].size(), traces[1].size());
  // And goes on as if nothing had been.
  EXPECT_TRUE(sampler.run(100, 1));
  GomSampler whole(model, short_schedule(2));
  whole.run(100, 2);
  expect_same(whole, sampler);
}

// Answers of a known model: chains that begin apart agree, and find it.
TEST(GomSampler, FindsWhatWasPlanted) {
  const Survey survey(400, 12);
  const GomModel model(survey.data, options_of(2));
  GomSchedule schedule = short_schedule(3);
  schedule.burn_in = 100;
  GomSampler sampler(model, schedule);
  sampler.run(200, 2);
  GomMeans means = sampler.means();
  const std::size_t width = means.tables[0].size() / survey.data.blocks[0].slots();
  const auto yes = [&](std::size_t item, std::size_t k) {
    return means.tables[0][(2 * item + 1) * width + k];
  };
  const std::size_t first = yes(0, 0) > yes(0, 1) ? 0 : 1;  // the one that says yes to item 0
  double apart = 0;
  for (std::size_t item = 0; item < 12; ++item) {
    EXPECT_NEAR(yes(item, first), survey.yes[0][item], 0.1) << item;
    EXPECT_NEAR(yes(item, 1 - first), survey.yes[1][item], 0.1) << item;
  }
  for (std::size_t i = 0; i < survey.data.rows; ++i)
    apart += std::abs(means.share[2 * i + first] - survey.theta[i]) / 400;
  EXPECT_LT(apart, 0.16);
  EXPECT_NEAR(means.alpha[first], Survey::kAlpha[0], 0.15);
  EXPECT_NEAR(means.alpha[1 - first], Survey::kAlpha[1], 0.15);
  // Every draw, of every chain, has components in this order.
  for (const GomDraw& draw : sampler.draws())
    EXPECT_GT(draw.tables[0][width + first], draw.tables[0][width + 1 - first]) << draw.chain;
  EXPECT_LT(math::rhat(sampler.log_likelihood()), 1.2);
}

TEST(GomSampler, SharesAreMemberships) {
  Survey survey(40, 5);
  survey.data.row_weight.assign(40, 1.0);
  survey.data.row_weight[3] = 0;
  survey.data.row_weight[4] = 3;
  const GomModel model(survey.data, options_of(2));
  GomSampler sampler(model, short_schedule(2));
  sampler.run(60, 1);
  const GomMeans means = sampler.means();
  for (std::size_t i = 0; i < 40; ++i)
    EXPECT_NEAR(means.share[2 * i] + means.share[2 * i + 1], 1, 1e-12);
}

// A row that counts twice is two rows that are the same.
TEST(GomSampler, WeightsAreRepeatedRows) {
  const Survey survey(20, 5);
  std::vector<std::vector<int>> codes = survey.codes;
  Dataset weighted = survey.data;
  weighted.row_weight.assign(20, 1.0);
  weighted.row_weight[7] = 2;
  codes.insert(codes.begin() + 8, codes[7]);
  const Dataset repeated = test::dataset({survey.block(codes)});
  const GomModel one(weighted, options_of(2)), two(repeated, options_of(2));
  GomSampler a(one, short_schedule(1)), b(two, short_schedule(1));
  a.run(50, 1);
  b.run(50, 1);
  EXPECT_EQ(a.log_likelihood(), b.log_likelihood());
  EXPECT_EQ(a.means().tables, b.means().tables);
  EXPECT_NEAR(a.means().share[14], (b.means().share[14] + b.means().share[16]) / 2, 1e-12);
}

TEST(GomSampler, BeginsWhereItIsTold) {
  const Survey survey(300, 8);
  const GomModel model(survey.data, options_of(2));
  const Families families = model.make_families();
  GomState state{{0.2, 0.2},
                 {{families[0]->parameters().begin(), families[0]->parameters().end()}}};
  const std::size_t width = families[0]->padded();
  for (std::size_t item = 0; item < 8; ++item) {
    for (std::size_t k = 0; k < 2; ++k) {
      state.tables[0][(2 * item + 1) * width + k] = survey.yes[1 - k][item];
      state.tables[0][2 * item * width + k] = 1 - survey.yes[1 - k][item];
    }
  }
  GomSchedule schedule = short_schedule(2);
  schedule.start = state;
  GomSampler sampler(model, schedule);
  EXPECT_EQ(sampler.chains()[0].tables(), state.tables);
  EXPECT_NE(sampler.chains()[0].z(), sampler.chains()[1].z());
  sampler.run(40, 1);
  // Components keep the order that they were given.
  EXPECT_LT(sampler.means().tables[0][width], sampler.means().tables[0][width + 1]);
}

TEST(GomSampler, AScheduleThatIsNoneIsRefused) {
  const Survey survey(10, 5);
  const GomModel model(survey.data, options_of(2));
  GomSchedule schedule;
  schedule.chains = 0;
  schedule.thin = 0;
  EXPECT_THROW(GomSampler(model, schedule), InputError);
  GomSampler none(model, short_schedule(1));
  none.run(10, 1);
  EXPECT_THROW(static_cast<void>(none.means()), InputError);
}

}  // namespace
}  // namespace medley::samplers
