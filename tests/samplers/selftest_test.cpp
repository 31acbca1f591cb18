// SPDX-License-Identifier: Apache-2.0
// The tests of samplers pass on the samplers that there are, for every family with a conjugate
// prior, with missing cells and ragged categories; and they see samplers that are wrong on purpose,
// put before them through the same interface.
#include "medley/uncertainty.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <iterator>
#include <memory>

#include "medley/error.hpp"
#include "samplers/selftest_checks.hpp"
#include "samplers/selftest_models.hpp"
#include "support/quick.hpp"
#include "support/toy.hpp"

namespace medley::samplers {
namespace {

constexpr std::size_t kRows = 8;
constexpr double kCredible = 1e-6, kIncredible = 1e-9;  // of the smallest p

// Ragged answers, two yes/no items, words; a third of the answers is missing, and the last row has
// words alone.
Dataset survey() {
  std::vector<std::vector<int>> codes, items, words;
  for (int i = 0; i < static_cast<int>(kRows); ++i) {
    const bool last = i + 1 == static_cast<int>(kRows);
    codes.push_back({last || i % 3 == 0 ? -1 : i % 2, last ? -1 : i % 3, last ? -1 : i % 4});
    items.push_back({last ? -1 : i % 2, last || i % 3 == 1 ? -1 : 1});
    words.push_back({i % 3, 1, 0, 1});
  }
  return test::dataset({test::level_block(families::categorical_family.name, codes, {3, 3, 4}),
                        test::level_block(families::bernoulli_family.name, items, {2, 2}),
                        test::token_block("words", words)});
}

// One column of every family of numbers that can be sampled, a quarter of the cells missing.
Dataset numbers() {
  std::vector<Block> blocks;
  for (const families::FamilyEntry* entry : families::registry()) {
    if (entry->conjugate == nullptr || entry->encoding != Encoding::real) continue;
    core::Rng rng(5, blocks.size());
    std::vector<std::vector<double>> cells;
    for (std::size_t i = 0; i < kRows; ++i)
      cells.push_back(
          {(i + blocks.size()) % 4 == 0 ? std::nan("") : test::random_number(*entry, rng)});
    blocks.push_back(test::real_block(entry->name, cells, 1));
  }
  EXPECT_GE(blocks.size(), 5U);
  return test::dataset(std::move(blocks));
}

GomOptions gom() {
  GomOptions options;
  options.components = 2;
  options.alpha_prior = {2, 2};
  return options;
}

DpOptions dp() {
  DpOptions options;
  options.concentration_prior = {2, 2};
  options.split_merges = 2;
  return options;
}

double smallest_p(const std::vector<SelfTestRow>& rows) {
  return std::ranges::min(rows, {}, &SelfTestRow::p).p;
}

template <class Sampler, class Options>
double geweke_p(const Dataset& data, const Options& options, std::size_t turns = 60) {
  const Stage stage(data, {}, kRows, 1);
  GewekePlan plan;
  plan.chains = test::quick() ? 36 : 60;
  plan.turns = turns;
  plan.forward = test::quick() ? 1500 : 3000;
  const auto rows = geweke([&] { return std::make_unique<Sampler>(stage, options); }, plan);
  EXPECT_TRUE(rows && rows->size() > 15);
  return smallest_p(*rows);
}

template <class Sampler, class Options>
double sbc_p(const Dataset& data, const Options& options) {
  const Stage stage(data, {}, kRows, 1);
  SbcPlan plan;
  plan.fits = test::quick() ? 60 : 120;
  plan.burn_in = 100;
  plan.ranked = 7;
  plan.enough = 18;
  plan.draws = 40;
  plan.most = 640;
  const auto result = sbc([&] { return std::make_unique<Sampler>(stage, options); }, plan);
  EXPECT_TRUE(result && result->row.size() > 8);
  return smallest_p(result->row);
}

TEST(SelfTest, GewekePassesGradeOfMembershipOnAnswersAndWords) {
  EXPECT_GT(geweke_p<GomJoint>(survey(), gom()), kCredible);
}

TEST(SelfTest, GewekePassesGradeOfMembershipOnNumbers) {
  EXPECT_GT(geweke_p<GomJoint>(numbers(), gom()), kCredible);
}

TEST(SelfTest, GewekePassesTheMixtureOnAnswersAndWords) {
  EXPECT_GT(geweke_p<DpJoint>(survey(), dp()), kCredible);
}

TEST(SelfTest, GewekePassesTheMixtureOnNumbers) {
  EXPECT_GT(geweke_p<DpJoint>(numbers(), dp()), kCredible);
}

TEST(SelfTest, RanksPassGradeOfMembership) {
  EXPECT_GT(sbc_p<GomJoint>(survey(), gom()), kCredible);
}

TEST(SelfTest, RanksPassTheMixture) {
  EXPECT_GT(sbc_p<DpJoint>(survey(), dp()), kCredible);
}

// Wrong on purpose.

// Tables with one imagined answer too many.
class TooSure final : public GomJoint {
 public:
  using GomJoint::GomJoint;
  void begin(std::uint64_t seed, bool here) override {
    const GomOptions right = options_;
    for (double& count : options_.priors[0]) count += 1;
    GomJoint::begin(seed, here);
    options_ = right;
  }
};

TEST(SelfTestMistakes, OneImaginedAnswerTooManyIsSeen) {
  EXPECT_LT(geweke_p<TooSure>(survey(), gom()), kIncredible);
}

// A prior of alpha that is not the model's.
class OtherAlpha final : public GomJoint {
 public:
  using GomJoint::GomJoint;
  void begin(std::uint64_t seed, bool here) override {
    const GomOptions right = options_;
    options_.alpha_prior.rate *= 3;
    GomJoint::begin(seed, here);
    options_ = right;
  }
};

TEST(SelfTestMistakes, AnotherPriorOfAlphaIsSeen) {
  EXPECT_LT(geweke_p<OtherAlpha>(survey(), gom()), kIncredible);
  EXPECT_LT(sbc_p<OtherAlpha>(survey(), gom()), kIncredible);
}

// A sampler that stays where it is: its draws agree with each other and with nothing else.
class Stuck final : public GomJoint {
 public:
  using GomJoint::GomJoint;
  void begin(std::uint64_t seed, bool here) override {
    GomJoint::begin(seed, here);
    GomJoint::sweep(false);
  }
  void sweep(bool /*tune*/) override {}
};

TEST(SelfTestMistakes, ASamplerThatDoesNotMoveIsSeenByRanks) {
  EXPECT_LT(sbc_p<Stuck>(survey(), gom()), kIncredible);
}

// Missing answers filled in with ones that other rows gave, and then taken for data.
class FillsIn final : public DpJoint {
 public:
  using DpJoint::DpJoint;
  void begin(std::uint64_t seed, bool here) override {
    chain_.reset();
    filled_ = cells_;
    core::Rng rng(seed, 3);
    fill(cells_.blocks[0], rng, filled_.blocks[0]);
    DpOptions options = options_;
    options.seed = seed;
    options.search_rounds = 0;
    model_ = std::make_unique<DpModel>(filled_, options);
    chain_ = std::make_unique<DpChain>(*model_, 0);
    if (here) chain_->start(labels_, concentration_);
  }

 private:
  static void fill(const Block& from, core::Rng& rng, Block& to) {
    to = from.shape();
    for (std::size_t row = 0; row < kRows; ++row) {
      auto c = from.row_start[row];
      for (std::size_t f = 0; f < from.features.size(); ++f) {
        const auto own = [&](std::uint32_t s) {
          return s >= from.first_slot[f] && s < from.first_slot[f + 1];
        };
        if (c < from.row_start[row + 1] && own(from.slot[c])) {
          to.slot.push_back(from.slot[c++]);
          continue;
        }
        std::vector<std::uint32_t> given;
        std::ranges::copy_if(from.slot, std::back_inserter(given), own);
        to.slot.push_back(given[rng.below(given.size())]);
      }
      to.row_start.push_back(to.slot.size());
    }
  }

  Dataset filled_;
};

TEST(SelfTestMistakes, AMissingCellDrawnFromTheMarginalIsSeen) {
  EXPECT_LT(geweke_p<FillsIn>(survey(), dp()), kIncredible);
}

// A prior of the concentration that is not the model's.
class OtherConcentration final : public DpJoint {
 public:
  using DpJoint::DpJoint;
  void begin(std::uint64_t seed, bool here) override {
    const DpOptions right = options_;
    options_.concentration_prior->rate *= 3;
    DpJoint::begin(seed, here);
    options_ = right;
  }
};

TEST(SelfTestMistakes, AnotherPriorOfTheConcentrationIsSeen) {
  EXPECT_LT(geweke_p<OtherConcentration>(survey(), dp()), kIncredible);
  EXPECT_LT(sbc_p<OtherConcentration>(survey(), dp()), kIncredible);
}

// From a data set on.

TEST(SelfTest, IsTheSameAtAnyNumberOfThreads) {
  FitOptions fitting;
  fitting.model = "gom-bayes";
  fitting.components = 2;
  SelfTestOptions options;
  options.rows = 3;
  options.replicates = 20;
  fitting.threads = 1;
  const SelfTest one = selftest(survey(), fitting, options);
  fitting.threads = 3;
  const SelfTest three = selftest(survey(), fitting, options);
  EXPECT_EQ(one.rows, 3U);
  ASSERT_EQ(one.row.size(), three.row.size());
  for (std::size_t i = 0; i < one.row.size(); ++i) {
    EXPECT_EQ(one.row[i].found, three.row[i].found) << one.row[i].name;
    EXPECT_EQ(one.row[i].p, three.row[i].p) << one.row[i].name;
  }
}

TEST(SelfTest, StopsWhenAsked) {
  FitOptions fitting;
  fitting.model = "dp-mixture";
  const std::atomic<bool> stop = true;
  Hooks hooks;
  hooks.stop = &stop;
  const SelfTest test = selftest(survey(), fitting, {}, hooks);
  EXPECT_TRUE(test.interrupted);
  EXPECT_FALSE(test.passed);
}

TEST(SelfTest, RefusesModelsThatAreNotSampled) {
  FitOptions fitting;
  fitting.model = "gom";
  fitting.components = 2;
  EXPECT_THROW(static_cast<void>(selftest(survey(), fitting, {})), InputError);
}

TEST(SelfTestVerdict, SharesOnePercentAmongTheNumbers) {
  SelfTest test;
  test.row = {{.name = "one", .p = 0.0051}, {.name = "other", .p = 0.7}};
  judge(test);
  EXPECT_TRUE(test.passed);
  EXPECT_NE(test.sentence.at(0).find("The sampler passes"), std::string::npos);
  test.sentence.clear();
  test.row[1].p = 0.0049;
  judge(test);
  EXPECT_FALSE(test.passed);
  EXPECT_TRUE(test.row[0].passed);
  EXPECT_FALSE(test.row[1].passed);
  EXPECT_NE(test.sentence.at(0).find("FAILS: other"), std::string::npos);
  EXPECT_NE(describe(test).find("please report it"), std::string::npos);
}

TEST(SelfTestVerdict, WhatIsNoNumberFails) {
  SelfTest test;
  test.row = {{.name = "one", .p = std::nan("")}};
  judge(test);
  EXPECT_FALSE(test.passed);
}

// Under a flat prior E[p log p + (1 - p) log(1 - p)] = -1/2 for every answer to a yes/no item,
// whatever else the model says; and the number of clusters is 1 + 1/2 + .. + 1/n at
// concentration 1.
TEST(SelfTestStage, ForwardDrawsHaveTheMomentsOfTheModel) {
  const Dataset data = test::dataset({survey().blocks[1]});
  const Stage stage(data, {}, kRows, 1);
  constexpr std::size_t kDraws = 20000;
  DpJoint joint(stage, {});
  double log_likelihood = 0, clusters = 0, harmonic = 0;
  for (std::size_t i = 0; i < kDraws; ++i) {
    core::Rng rng(8, 9, i);
    joint.draw_forward(rng);
    const std::vector<double> values = joint.values();
    log_likelihood += values[stage.followed().size() - 1] / kDraws;
    clusters += values[stage.followed().size()] / kDraws;
  }
  for (std::size_t n = 1; n <= kRows; ++n) harmonic += 1 / static_cast<double>(n);
  const double n = static_cast<double>(stage.observations());
  EXPECT_NEAR(log_likelihood, -n / 2, 5 * std::sqrt(n) * 2 / std::sqrt(kDraws));
  EXPECT_NEAR(clusters, harmonic, 5 * 1.2 / std::sqrt(kDraws));
}

// The stage keeps what is missing, and what is drawn has the priors of the user's columns.
TEST(SelfTestStage, DrawsTheSameCells) {
  const Dataset data = survey();
  const Stage stage(data, {}, kRows, 1);
  core::Rng rng(3, 4);
  const Tables tables = stage.draw_tables(2, rng);
  Components components(stage.observations(), 1);
  const Dataset drawn = stage.draw_cells(stage.families(2, tables), components, rng);
  for (std::size_t b = 0; b < 2; ++b)
    EXPECT_EQ(drawn.blocks[b].row_start, data.blocks[b].row_start);
  for (std::size_t row = 0; row < kRows; ++row)
    EXPECT_EQ(drawn.observed(row), data.observed(row)) << row;
  const auto feature = [](const Block& block, std::size_t cell) {
    return std::ranges::upper_bound(block.first_slot, block.slot[cell]) - block.first_slot.begin();
  };
  for (std::size_t c = 0; c < data.blocks[0].cells(); ++c)
    EXPECT_EQ(feature(drawn.blocks[0], c), feature(data.blocks[0], c));
}

// Words are sorted; each keeps the component it was drawn from: component 0 says the first two
// words, component 1 the last two.
TEST(SelfTestStage, ComponentsGoWithTheirCells) {
  const Stage stage(survey(), {}, kRows, 1);
  core::Rng rng(3, 4);
  Tables tables = stage.draw_tables(2, rng);
  const std::size_t width = tables[2].size() / 4;
  for (std::size_t word = 0; word < 4; ++word) {
    for (std::size_t k = 0; k < 2; ++k) tables[2][word * width + k] = word / 2 == k ? 0.5 : 0.0;
  }
  Components components(stage.observations());
  for (std::size_t o = 0; o < components.size(); ++o)
    components[o] = static_cast<std::uint16_t>(o % 2);
  const Dataset drawn = stage.draw_cells(stage.families(2, tables), components, rng);
  const Block& words = drawn.blocks[2];
  for (std::size_t row = 0; row < kRows; ++row) {
    std::size_t o = stage.start()[row + 1];
    for (auto c = words.row_start[row + 1]; c-- > words.row_start[row];) {
      for (float copy = 0; copy < words.weight[c]; ++copy)
        EXPECT_EQ(components[--o], words.slot[c] / 2) << row;
    }
  }
}

}  // namespace
}  // namespace medley::samplers
