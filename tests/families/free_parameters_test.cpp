// SPDX-License-Identifier: Apache-2.0
// Free parameters, for every family of the registry that offers them: there and back, the gradient
// against differences, limits.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "data/slot_index.hpp"
#include "families/one_column.hpp"
#include "families/registry.hpp"
#include "families/scalars.hpp"
#include "support/perturb.hpp"
#include "support/toy.hpp"

namespace medley::families {
namespace {

constexpr std::size_t kComponents = 3;
constexpr std::size_t kRows = 40;

class FreeParameters : public testing::TestWithParam<const FamilyEntry*> {
 public:
  Block block = weighted(test::random_block(*GetParam(), kRows, 6, 0.3));
  data::Columns columns = data::transpose(block);
  std::unique_ptr<Family> family = GetParam()->make(block, kComponents);
  std::vector<double> vectors;  // signed responsibilities
  std::vector<double> coefficient;

  void SetUp() override {
    if (free_size(*family) == 0) GTEST_SKIP() << "offers no free parameters";
    core::Rng rng(5, 3);
    family->observe(block, columns, {});
    test::randomise(*family, block, rng, 2);
    family->prepare(true);
    vectors.assign(kRows * family->padded(), 0.0);
    for (std::size_t row = 0; row < kRows; ++row) {
      for (std::size_t k = 0; k < kComponents; ++k)
        vectors[row * family->padded() + k] = rng.normal();
    }
    for (std::size_t c = 0; c < block.cells(); ++c)
      coefficient.push_back(static_cast<double>(block.weight_of(c)));
  }

  static Block weighted(Block block) {
    core::Rng rng(6, 3);
    block.weight.clear();
    for (std::size_t c = 0; c < block.cells(); ++c)
      block.weight.push_back(static_cast<float>(0.5 + rng.uniform()));
    return block;
  }

  [[nodiscard]] std::vector<double> free() const {
    std::vector<double> values(kComponents * free_size(*family));
    family->free()->free_parameters(values);
    return values;
  }
  void set(const std::vector<double>& values) const {
    family->free()->set_free_parameters(values);
    family->prepare(true);
  }
  // log l_ok of all cells.
  [[nodiscard]] std::vector<double> logs() const {
    std::vector<double> result, out(100 * family->padded());
    for (std::size_t row = 0; row < kRows; ++row) {
      family->log_rows(block, row, out.data());
      for (std::size_t o = 0; o < block.row_start[row + 1] - block.row_start[row]; ++o) {
        for (std::size_t k = 0; k < kComponents; ++k)
          result.push_back(out[o * family->padded() + k]);
      }
    }
    return result;
  }
  // sum over cells of r log l.
  [[nodiscard]] double objective() const {
    const std::vector<double> log = logs();
    double sum = 0;
    for (std::size_t row = 0; row < kRows; ++row) {
      for (std::uint64_t c = block.row_start[row]; c < block.row_start[row + 1]; ++c) {
        for (std::size_t k = 0; k < kComponents; ++k)
          sum += coefficient[c] * vectors[row * family->padded() + k] * log[c * kComponents + k];
      }
    }
    return sum;
  }
  [[nodiscard]] std::vector<double> gradient() const {
    std::vector<double> result(kComponents * free_size(*family));
    family->free()->free_gradient(
        family->collect(columns, block, {vectors.data(), coefficient.data(), false, {}}), result);
    return result;
  }
};

TEST_P(FreeParameters, ThereAndBackIsTheSameLikelihood) {
  const std::vector<double> before = logs();
  const std::vector<double> values = free();
  set(values);
  const std::vector<double> after = logs();
  for (std::size_t i = 0; i < before.size(); ++i)
    EXPECT_NEAR(after[i], before[i], 1e-12 * (1 + std::abs(before[i])));
}

TEST_P(FreeParameters, GradientAgreesWithDifferences) {
  const std::vector<double> at = free(), found = gradient();
  for (std::size_t j = 0; j < at.size(); ++j) {
    constexpr double kStep = 1e-5;
    std::vector<double> moved = at;
    moved[j] = at[j] + kStep;
    set(moved);
    const double up = objective();
    moved[j] = at[j] - kStep;
    set(moved);
    const double slope = (up - objective()) / (2 * kStep);
    EXPECT_NEAR(found[j], slope, 1e-5 * (1 + std::abs(slope))) << j;
  }
}

// However far a step leads, the parameters are those that a model file may hold.
TEST_P(FreeParameters, FarAwayTheyStayWithinTheirLimits) {
  core::Rng rng(7, 3);
  const std::vector<double> at = free();
  for (const double step : {30.0, 1e4, 1e200}) {
    std::vector<double> far = at;
    for (double& v : far) v += rng.uniform() < 0.5 ? -step : step;
    set(far);
    EXPECT_EQ(GetParam()->invalid_reason(*family), "") << step;
    EXPECT_THAT(logs(), testing::Each(testing::Truly([](double v) { return std::isfinite(v); })));
    EXPECT_THAT(free(), testing::Each(testing::Truly([](double v) { return std::isfinite(v); })));
  }
}

// Components do not meddle with each other, nor columns.
TEST_P(FreeParameters, MovingOneMovesItsComponentAlone) {
  const std::vector<double> before = logs();
  std::vector<double> values = free();
  values[free_size(*family)] += 0.5;  // the first of component 1
  set(values);
  const std::vector<double> after = logs();
  bool moved = false;
  for (std::size_t i = 0; i < before.size(); ++i) {
    const bool same = std::abs(after[i] - before[i]) < 1e-9;
    EXPECT_TRUE(same || i % kComponents == 1) << i;
    moved = moved || !same;
  }
  EXPECT_TRUE(moved);
}

INSTANTIATE_TEST_SUITE_P(Registry, FreeParameters,
                         testing::ValuesIn(registry().begin(), registry().end()),
                         [](const auto& member) { return std::string(member.param->name); });

TEST(FreeParametersOf, EveryFamilyThatComesWithTheProgram) {
  for (const char* name : {"bernoulli", "categorical", "gaussian", "lognormal", "gamma",
                           "exponential", "poisson", "geometric", "tokens"}) {
    const Block block = test::random_block(*find(name), 5, 1, 0);
    EXPECT_GT(free_size(*find(name)->make(block, 2)), 0U) << name;
  }
}

// The free numbers of a column with known averages.
TEST(FreeParametersOf, NumbersAreDistancesLogsAndLogits) {
  const auto free = [](const OneColumn& column) {
    std::vector<double> values(free_size(*column.family));
    column.family->free()->free_parameters(values);
    return values;
  };
  const auto near = [](double v) { return testing::DoubleNear(v, 1e-12); };
  OneColumn gaussian(gaussian_family, {10, 20, 30, 60});  // mean 30, variance 350
  gaussian.set(0, 30 + std::sqrt(350.0));
  gaussian.set(1, 14);
  EXPECT_THAT(free(gaussian), testing::ElementsAre(near(1), near(std::log(14.0))));
  OneColumn poisson(poisson_family, {0, 1, 5});
  EXPECT_THAT(free(poisson), testing::ElementsAre(near(std::log(2.0))));
  OneColumn geometric(geometric_family, {0, 1, 8});
  EXPECT_THAT(free(geometric), testing::ElementsAre(near(std::log(0.25 / 0.75))));
}

TEST(FreeParametersOf, AVarianceStopsAtItsFloorAndIsNotClimbedBelow) {
  OneColumn column(gaussian_family, {10, 20, 30, 60});
  std::vector<double> gradient(2);
  const auto at = [&](double mean, double log_variance, double weight) {
    column.family->free()->set_free_parameters(std::vector<double>{mean, log_variance});
    std::vector<double> vectors(4 * column.family->padded(), 0.0);
    vectors[2 * column.family->padded()] = weight;  // the row with 30 alone
    const std::vector<double> ones(4, 1.0);
    column.family->free()->free_gradient(
        column.family->collect(column.columns, column.block,
                               {vectors.data(), ones.data(), false, {}}),
        gradient);
  };
  at(0, -50, 1);  // right on the cell: the narrower the likelier
  EXPECT_DOUBLE_EQ(column.parameter("var"), 0.35);
  EXPECT_EQ(gradient[1], 0);
  at(0, -50, -1);  // now the wider the better: it may leave the floor
  EXPECT_NEAR(gradient[1], 0.5, 1e-12);
  at(0, 0, 1);  // above the floor
  EXPECT_NEAR(gradient[1], -0.5, 1e-12);
}

TEST(FreeParametersOf, RatesStopWhereTheirMaximumDoes) {
  const OneColumn poisson(poisson_family, {0, 1, 5});
  poisson.family->free()->set_free_parameters(std::vector<double>{-100});
  EXPECT_DOUBLE_EQ(poisson.parameter("rate"), 1e-8);
  const OneColumn exponential(exponential_family, {0, 1, 5});  // mean 2
  exponential.family->free()->set_free_parameters(std::vector<double>{-100});
  EXPECT_DOUBLE_EQ(exponential.parameter("rate"), 0.5e-8);
  exponential.family->free()->set_free_parameters(std::vector<double>{100});
  EXPECT_DOUBLE_EQ(exponential.parameter("rate"), 0.5e8);
}

// A family that says nothing of links.
constexpr ScalarRow kUnlinked[] = {{"rate", 0, 1e9, 1}, {"mean", 0, 1e9, 1}};
class Unlinked final : public Scalars {
 public:
  explicit Unlinked(const Block& shape)
      : Scalars(exponential_family, shape, 2, kUnlinked, Form::linear) {}

 protected:
  [[nodiscard]] Terms terms(double x) const override { return {0, x, 0}; }
  [[nodiscard]] Coefficients coefficients(const Pair& p) const override {
    return {std::log(p[0]), -p[0], 0};
  }
  [[nodiscard]] Pair maximum(const Pair& average, const Reference&) const override {
    return {1 / average[0], 0};
  }
  [[nodiscard]] Moments moments_of(const Pair&) const override { return {}; }
  [[nodiscard]] double below(const Pair&, double) const override { return 0; }
  [[nodiscard]] double drawn(const Pair&, core::Rng&) const override { return 0; }
};

TEST(FreeParametersOf, AFamilyThatSaysNothingAreNone) {
  const Block block = test::random_block(exponential_family, 5, 1, 0);
  EXPECT_EQ(Unlinked(block).free(), nullptr);
}

}  // namespace
}  // namespace medley::families
