// SPDX-License-Identifier: Apache-2.0
#include "samplers/dp_mixture.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "medley/error.hpp"
#include "samplers/clusters.hpp"
#include "samplers/visits.hpp"

namespace medley::samplers {
namespace {

void expect_same(const DpMixture& one, const DpMixture& other) {
  for (std::size_t c = 0; c < one.draws().size(); ++c) {
    const DpDraws &a = one.draws()[c], &b = other.draws()[c];
    EXPECT_EQ(a.clusters, b.clusters);
    EXPECT_EQ(a.concentration, b.concentration);
    EXPECT_EQ(a.log_joint, b.log_joint);
    EXPECT_EQ(a.labels, b.labels);
    EXPECT_EQ(a.labels_concentration, b.labels_concentration);
    EXPECT_EQ(a.best, b.best);
    EXPECT_EQ(a.best_log_joint, b.best_log_joint);
  }
}

struct Planted {
  // Three kinds of people, a third of them each, who answer 8 questions alike to 95 %; a tenth of
  // the answers is missing.
  explicit Planted(std::size_t rows) {
    core::Rng rng(5, 5);
    std::vector<std::vector<int>> codes;
    for (std::size_t i = 0; i < rows; ++i) {
      const std::size_t kind = i % 3;
      truth.push_back(static_cast<std::uint32_t>(kind));
      auto& row = codes.emplace_back();
      for (std::size_t f = 0; f < 8; ++f) {
        const bool usual = kind == 0 || (kind == 1 && f < 4);
        const int code = (rng.uniform() < 0.95) == usual ? 1 : 0;
        row.push_back(rng.uniform() < 0.1 ? -1 : code);
      }
    }
    data = test::dataset({test::level_block(families::bernoulli_family.name, codes,
                                            std::vector<std::size_t>(8, 2))});
    options.concentration_prior = GammaPrior{1, 1};
    options.search_rounds = 8;
  }
  Labels truth;
  Dataset data;
  DpOptions options;
};

TEST(DpMixture, TheSameDrawsAtAnyNumberOfThreads) {
  const Planted planted(60);
  const DpModel model(planted.data, planted.options);
  DpMixture one(model, {}), two(model, {}), three(model, {});
  one.run(30, 1);
  two.run(30, 2);
  three.run(30, 3);
  expect_same(one, two);
  expect_same(one, three);
}

TEST(DpMixture, TheSameDrawsAfterAResume) {
  const Planted planted(40);
  const DpModel model(planted.data, planted.options);
  DpSchedule schedule;
  schedule.burn_in = 5;
  schedule.thin = 4;
  DpMixture whole(model, schedule);
  whole.run(31, 1);
  for (const std::size_t first : {3U, 18U}) {  // within the burn-in, and between thinned draws
    DpMixture half(model, schedule), rest(model, schedule);
    half.run(first, 2);
    core::TensorFile file;
    half.save(file);
    rest.restore(core::parse_tensors(core::serialise_tensors(file), "memory"));
    rest.run(31 - first, 2);
    expect_same(whole, rest);
  }
}

TEST(DpMixture, FindsPlantedClustersFromEveryStart) {
  const Planted planted(150);
  const DpModel model(planted.data, planted.options);
  DpSchedule schedule;
  schedule.burn_in = 30;
  DpMixture mixture(model, schedule);
  mixture.run(230, 2);
  EXPECT_LT(math::rhat(mixture.traces(&DpDraws::log_joint)), 1.1);
  const auto posterior = mixture.posterior_of_k();
  double total = 0;
  for (const auto& [k, share] : posterior) total += share;
  EXPECT_NEAR(total, 1, 1e-12);
  EXPECT_GE(posterior.begin()->first, 3U);
  const std::vector<Labels> labels = mixture.labels();
  EXPECT_EQ(labels.size(), 80U);
  const double pairs = 150 * 149 / 2.0;
  EXPECT_LT(disagreement(labels[least_squares(labels)], planted.truth), 0.03 * pairs);
  EXPECT_LT(disagreement(mixture.best(), planted.truth), 0.03 * pairs);
  for (const DpDraws& draws : mixture.draws())
    EXPECT_EQ(draws.best_log_joint,
              *std::max_element(draws.log_joint.begin(), draws.log_joint.end()));
}

TEST(DpMixture, EverySweepIsTold) {
  const Planted planted(30);
  const DpModel model(planted.data, planted.options);
  DpMixture mixture(model, {});
  std::vector<std::vector<DpProgress>> told(4);
  const DpHooks hooks{[&](const DpProgress& now) { told[now.chain].push_back(now); }, nullptr};
  EXPECT_TRUE(mixture.run(20, 2, hooks));
  for (std::size_t c = 0; c < 4; ++c) {
    ASSERT_EQ(told[c].size(), 20U);
    for (std::size_t i = 0; i < 20; ++i) {
      EXPECT_EQ(told[c][i].sweep, i + 1);
      EXPECT_EQ(told[c][i].searching, i < 8);
      if (i < 8) continue;
      EXPECT_EQ(static_cast<double>(told[c][i].clusters), mixture.draws()[c].clusters[i - 8]);
      EXPECT_EQ(told[c][i].log_joint, mixture.draws()[c].log_joint[i - 8]);
    }
  }
}

TEST(DpMixture, StopsWhenAskedAndMakesUpForIt) {
  const Planted planted(30);
  const DpModel model(planted.data, planted.options);
  DpMixture whole(model, {}), stopped(model, {});
  whole.run(25, 1);
  std::atomic<bool> stop = false;
  const DpHooks hooks{[&](const DpProgress& now) {
                        if (now.chain == 1 && now.sweep == 12) stop = true;
                      },
                      &stop};
  EXPECT_FALSE(stopped.run(25, 1, hooks));
  EXPECT_EQ(stopped.chains()[0].sweeps(), 25U);
  EXPECT_EQ(stopped.chains()[1].sweeps(), 12U);
  EXPECT_EQ(stopped.chains()[2].sweeps(), 0U);
  EXPECT_EQ(stopped.traces(&DpDraws::clusters)[0].size(), 0U);
  EXPECT_TRUE(stopped.run(25, 1));
  expect_same(whole, stopped);
}

TEST(DpMixture, AScheduleThatIsNoneIsRefused) {
  const Planted planted(5);
  const DpModel model(planted.data, planted.options);
  DpSchedule schedule;
  schedule.starts = {0};
  schedule.thin = 0;
  try {
    const DpMixture mixture(model, schedule);
    FAIL();
  } catch (const InputError& error) {
    EXPECT_EQ(error.total(), 2U);
  }
  DpMixture mixture(model, {});
  EXPECT_THROW(mixture.restore(core::TensorFile()), InputError);
}

}  // namespace
}  // namespace medley::samplers
