// SPDX-License-Identifier: Apache-2.0
// The conditional fine-tune: value and gradient of the objective against the plain definition and
// its differences, what the pull does, what is left out, refusals.
#include "engines/conditional.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "families/scalars.hpp"
#include "medley/error.hpp"
#include "support/chunk_source.hpp"
#include "support/em.hpp"
#include "support/toy.hpp"

namespace medley::engines {
namespace {

constexpr std::size_t kComponents = 3, kClasses = 4;
constexpr double kPull = 0.3;
constexpr double kNoNumber = std::numeric_limits<double>::quiet_NaN();

// Random parameters on random numbers, levels and words with missing cells, rows of uneven weight.
struct Toy {
  Toy(const memberships::MembershipEntry& membership, std::size_t rows, std::size_t threads = 1)
      : data(test::dataset({test::random_block(families::gaussian_family, rows, 3, 0.3),
                            test::random_block(families::categorical_family, rows, 4, 0.3),
                            test::random_block(families::tokens_family, rows, 5, 0.3)})) {
    core::Rng rng(11, 1);
    for (std::size_t row = 0; row < rows; ++row) {
      data.row_weight.push_back(0.5 + rng.uniform());
      label.push_back(static_cast<std::int32_t>(rng.below(kClasses)));
    }
    em = prepare(data, threads);
    model = make_model(em, membership, model::usual_inference(membership), kComponents);
    test::randomise(model, data, 8, 2);
    const bool pi = membership.sole;
    model.membership->set_parameters(pi ? std::vector<double>{0.2, 0.5, 0.3}
                                        : std::vector<double>{0.4, 1.7, 0.1});
    std::vector<double> eta(kClasses * kComponents);
    for (double& v : eta) v = rng.normal();
    head.set_eta(eta);
  }

  // log p(y | x) of a row from its definition.
  [[nodiscard]] double plain(std::size_t row, std::int32_t y) const {
    const auto cells = test::plain_rows(model, data, row);
    const auto weights = test::plain_weights(data, row);
    const double m = static_cast<double>(std::accumulate(weights.begin(), weights.end(), 0));
    double both = 0, alone = 0;
    for (std::size_t k = 0; k < kComponents; ++k) {
      const double prior = model.membership->parameters()[k];
      double joint =
          model.membership->entry().sole ? prior : std::tgamma(prior + m) / std::tgamma(prior);
      for (std::size_t o = 0; o < cells.size(); ++o) joint *= std::pow(cells[o][k], weights[o]);
      double all = 0;
      for (std::size_t h = 0; h < kClasses; ++h) all += std::exp(head.eta()[h * kComponents + k]);
      alone += joint;
      both += joint * std::exp(head.eta()[static_cast<std::size_t>(y) * kComponents + k]) / all;
    }
    return std::log(both / alone);
  }
  [[nodiscard]] double plain_sum() const {
    double sum = 0;
    for (std::size_t row = 0; row < data.rows; ++row) {
      if (label[row] >= 0 && data.observed(row) > 0)
        sum += data.weight_of(row) * plain(row, label[row]);
    }
    return sum;
  }
  [[nodiscard]] std::vector<double> everything() const {
    std::vector<double> all(head.eta().begin(), head.eta().end());
    for (const auto& family : model.families)
      all.insert(all.end(), family->parameters().begin(), family->parameters().end());
    return all;
  }
  [[nodiscard]] double weight() const {
    double sum = 0;
    for (std::size_t row = 0; row < data.rows; ++row) {
      if (label[row] >= 0 && data.observed(row) > 0) sum += data.weight_of(row);
    }
    return sum;
  }

  Dataset data;
  std::vector<std::int32_t> label;
  EmData em;
  EmModel model;
  heads::Softmax head{kComponents, kClasses, heads::Bound::lse, 1, 0};
};

class Conditional : public testing::TestWithParam<const memberships::MembershipEntry*> {};

TEST_P(Conditional, ObjectiveAndGradientAreThoseOfTheDefinition) {
  Toy toy(*GetParam(), 12);
  ConditionalObjective objective(toy.em, toy.label, toy.model, toy.head, kPull);
  std::vector<double> at = objective.start(), gradient(at.size()), unused(at.size());
  const double at_start = objective(at, gradient);
  EXPECT_NEAR(at_start, -toy.plain_sum(), 1e-9);
  core::Rng rng(3, 9);
  for (double& v : at) v += 0.2 * rng.normal();
  const auto value = [&] {  // by definition, at the parameters that the model has been set to
    double pulled = 0;
    for (std::size_t j = 0; j < at.size(); ++j)
      pulled += 0.5 * kPull * std::pow(at[j] - objective.start()[j], 2);
    return pulled - toy.plain_sum();
  };
  const double found = objective(at, gradient);
  EXPECT_NEAR(found, value(), 1e-9);
  for (std::size_t j = 0; j < at.size(); ++j) {
    constexpr double kStep = 1e-5;
    const double middle = at[j];
    at[j] = middle + kStep;
    (void)objective(at, unused);
    const double up = value();
    at[j] = middle - kStep;
    (void)objective(at, unused);
    const double slope = (up - value()) / (2 * kStep);
    at[j] = middle;
    EXPECT_NEAR(gradient[j], slope, 1e-6 * (1 + std::abs(slope))) << j;
  }
}

TEST_P(Conditional, LabelsAreNeverLessLikelyThanBefore) {
  for (const double pull : {0.01, 1.0, 30.0}) {
    Toy toy(*GetParam(), 60);
    const double before = toy.plain_sum() / toy.weight();
    const ConditionalResult result =
        fine_tune(toy.em, toy.label, toy.model, toy.head, {pull, 100, 1e-6});
    EXPECT_NEAR(result.before, before, 1e-9);
    EXPECT_NEAR(result.after, toy.plain_sum() / toy.weight(), 1e-9);
    EXPECT_GT(result.after, result.before + 1e-4) << pull;
    EXPECT_GT(result.iterations, 0U);
    for (const auto& family : toy.model.families)
      EXPECT_EQ(family->entry().invalid_reason(*family), "");
  }
}

TEST_P(Conditional, AStrongPullLeavesTheModel) {
  Toy toy(*GetParam(), 40);
  const auto before = toy.everything();
  const ConditionalResult result = fine_tune(toy.em, toy.label, toy.model, toy.head, {1e9});
  const auto after = toy.everything();
  for (std::size_t i = 0; i < before.size(); ++i) EXPECT_NEAR(after[i], before[i], 1e-6);
  EXPECT_GE(result.after, result.before);
}

TEST_P(Conditional, WithoutAnIterationNotABitChanges) {
  Toy toy(*GetParam(), 40);
  const auto before = toy.everything();
  const ConditionalResult result = fine_tune(toy.em, toy.label, toy.model, toy.head, {1, 0});
  EXPECT_EQ(toy.everything(), before);
  EXPECT_EQ(result.after, result.before);
  EXPECT_FALSE(result.converged);
}

TEST_P(Conditional, ThreadsChangeNoBit) {
  Toy one(*GetParam(), 300, 1), three(*GetParam(), 300, 3);
  (void)fine_tune(one.em, one.label, one.model, one.head, {1, 15});
  (void)fine_tune(three.em, three.label, three.model, three.head, {1, 15});
  EXPECT_EQ(one.everything(), three.everything());
}

// Rows without a label, and rows of which nothing is known, are as good as absent.
TEST_P(Conditional, OtherRowsAreLeftOut) {
  Toy some(*GetParam(), 50);
  for (std::size_t row = 0; row < 50; ++row) {
    if (row >= 30) some.label[row] = -1;
  }
  const ConditionalResult result =
      fine_tune(some.em, some.label, some.model, some.head, {1, 100, 1e-7});
  EXPECT_NEAR(result.after, some.plain_sum() / some.weight(), 1e-9);
  // The same with weight 0 in place of no label.
  Toy weightless(*GetParam(), 50);
  for (std::size_t row = 30; row < 50; ++row) weightless.data.row_weight[row] = 0;
  EXPECT_EQ(
      fine_tune(weightless.em, weightless.label, weightless.model, weightless.head, {1, 100, 1e-7})
          .after,
      result.after);
  EXPECT_EQ(some.everything(), weightless.everything());
}

TEST_P(Conditional, ARowWithNothingObservedIsLeftOut) {
  Toy toy(*GetParam(), 30), longer(*GetParam(), 30);
  for (Block& block : longer.data.blocks) block.row_start.push_back(block.cells());
  longer.data.row_weight.push_back(3);
  longer.data.rows = 31;
  longer.label.push_back(1);
  longer.em = prepare(longer.data, 1);
  (void)fine_tune(toy.em, toy.label, toy.model, toy.head, {1, 20});
  (void)fine_tune(longer.em, longer.label, longer.model, longer.head, {1, 20});
  EXPECT_EQ(longer.everything(), toy.everything());
}

TEST_P(Conditional, WithoutALabelNothingHappens) {
  Toy toy(*GetParam(), 20);
  const auto before = toy.everything();
  const ConditionalResult result =
      fine_tune(toy.em, std::vector<std::int32_t>(20, -1), toy.model, toy.head, {});
  EXPECT_TRUE(result.converged);
  EXPECT_EQ(result.iterations, 0U);
  EXPECT_EQ(toy.everything(), before);
}

// Two classes that one column separates, and another column that is all that EM sees: components
// follow the noise, and only the fine-tune finds the signal. (Were the noise so wide that every row
// is certain of its component, there would be no gradient to climb.)
TEST_P(Conditional, SeparableClassesAreLearnt) {
  core::Rng rng(2, 8);
  std::vector<std::vector<double>> numbers;
  std::vector<std::int32_t> label;
  for (int i = 0; i < 60; ++i) {
    label.push_back(i % 2);
    const double signal = (i % 2 == 0 ? -0.6 : 0.6) + 0.4 * (rng.uniform() - 0.5);
    const double noise = (rng.uniform() < 0.5 ? -1.5 : 1.5) + rng.normal();
    numbers.push_back({i % 10 == 3 ? kNoNumber : noise, signal});
  }
  const Dataset data =
      test::dataset({test::real_block(families::gaussian_family.name, numbers, 2)});
  const EmData em = prepare(data, 1);
  const auto& mode = model::usual_inference(*GetParam());
  VariationalEm engine(em, make_model(em, *GetParam(), mode, 2));
  std::vector<double> start(data.rows * kernels::padded(2), 0.0);
  for (std::size_t row = 0; row < data.rows; ++row) {
    const double low = numbers[row][0] < 0 ? 0.9 : 0.1;
    start[row * kernels::padded(2)] = low;
    start[row * kernels::padded(2) + 1] = 1 - low;
  }
  engine.start_from(start);
  for (int i = 0; i < 20; ++i) engine.iterate();
  heads::Softmax head(2, 2, heads::Bound::lse, 1, 0);
  head.set_eta(std::vector<double>{0.1, -0.1, 0, 0});
  EmModel& model = engine.model();

  const auto accuracy = [&] {
    double right = 0;
    for (std::size_t row = 0; row < data.rows; ++row) {
      const auto cells = test::plain_rows(model, data, row);
      const double m = static_cast<double>(cells.size());
      double of_class[2] = {0, 0};
      for (std::size_t k = 0; k < 2; ++k) {
        const double prior = model.membership->parameters()[k];
        double joint = GetParam()->sole ? prior : std::tgamma(prior + m) / std::tgamma(prior);
        for (const auto& cell : cells) joint *= cell[k];
        for (std::size_t h = 0; h < 2; ++h)
          of_class[h] += joint * std::exp(head.log_probability()[h * 2 + k]);
      }
      right += (of_class[1] > of_class[0]) == (label[row] == 1) ? 1 : 0;
    }
    return right / static_cast<double>(data.rows);
  };
  EXPECT_LT(accuracy(), 0.8);
  const ConditionalResult result = fine_tune(em, label, model, head, {1e-3});
  EXPECT_EQ(accuracy(), 1.0);
  EXPECT_GT(result.after, -0.1);
}

INSTANTIATE_TEST_SUITE_P(Registry, Conditional,
                         testing::Values(&memberships::mixed_membership,
                                         &memberships::single_membership),
                         [](const auto& member) { return std::string(member.param->name); });

// A cell so far off that only its distance shows: the label must not look certain for that.
TEST(ConditionalFarOff, ACellFarFromEveryComponentTellsNothing) {
  Toy toy(memberships::single_membership, 1);
  toy.data.blocks[0] = test::real_block(families::gaussian_family.name, {{1e100, 0, 0, 0}}, 4);
  toy.em = prepare(toy.data, 1);
  ConditionalObjective objective(toy.em, toy.label, toy.model, toy.head, 1);
  std::vector<double> gradient(objective.start().size());
  EXPECT_GT(objective(objective.start(), gradient), 0.01);
}

// A family that offers no free parameters.
constexpr families::ScalarRow kUnlinked[] = {{"rate", 0, 1e9, 1}, {"mean", 0, 1e9, 1}};
class Unlinked final : public families::Scalars {
 public:
  explicit Unlinked(const Block& shape)
      : Scalars(families::exponential_family, shape, kComponents, kUnlinked, Form::linear) {}

 protected:
  [[nodiscard]] Terms terms(double x) const override { return {0, x, 0}; }
  [[nodiscard]] Coefficients coefficients(const Pair& p) const override {
    return {std::log(p[0]), -p[0], 0};
  }
  [[nodiscard]] Pair maximum(const Pair& average, const Reference&) const override {
    return {1 / average[0], 0};
  }
  [[nodiscard]] families::Moments moments_of(const Pair&) const override { return {}; }
  [[nodiscard]] double below(const Pair&, double) const override { return 0; }
  [[nodiscard]] double drawn(const Pair&, core::Rng&) const override { return 0; }
};

TEST(ConditionalRefusal, NamesTheBlockAndTheFamily) {
  Toy toy(memberships::single_membership, 10);
  toy.model.families[0] = std::make_unique<Unlinked>(toy.data.blocks[0]);
  toy.data.blocks[0].name = "waiting times";
  const std::string error =
      test::error_of([&] { (void)fine_tune(toy.em, toy.label, toy.model, toy.head, {}); });
  EXPECT_THAT(error, testing::HasSubstr("\"waiting times\""));
  EXPECT_THAT(error, testing::HasSubstr("exponential"));
  EXPECT_THAT(error, testing::HasSubstr("conditional"));
}

}  // namespace
}  // namespace medley::engines
