// SPDX-License-Identifier: Apache-2.0
// Extrapolation over iterations: known fixed points are reached in fewer steps, EM with it ends
// where plain EM ends, and a bad step is taken back.
#include "engines/extrapolate.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "engines/run_trace.hpp"
#include "engines/starts.hpp"
#include "engines/variational_em.hpp"
#include "support/em.hpp"
#include "support/toy.hpp"

namespace medley::engines {
namespace {

// x -> a + rate (x - a), a step of gradient ascent on -sum (1 - rate) (x - a)^2 / 2.
struct Contraction {
  std::vector<double> end = {3, -1, 0.5};
  std::vector<double> rate = {0.99, 0.9, 0.2};

  [[nodiscard]] std::vector<double> step(std::vector<double> x) const {
    for (std::size_t i = 0; i < x.size(); ++i) x[i] = end[i] + rate[i] * (x[i] - end[i]);
    return x;
  }
  [[nodiscard]] double objective(const std::vector<double>& x) const {
    double sum = 0;
    for (std::size_t i = 0; i < x.size(); ++i)
      sum -= 0.5 * (1 - rate[i]) * (x[i] - end[i]) * (x[i] - end[i]);
    return sum;
  }
  [[nodiscard]] double distance(const std::vector<double>& x) const {
    double most = 0;
    for (std::size_t i = 0; i < x.size(); ++i) most = std::max(most, std::abs(x[i] - end[i]));
    return most;
  }
};

// Steps until it is as close; at most 5000.
int steps_to(const Contraction& map, double close, bool extrapolated) {
  std::vector<double> x = {0, 0, 0};
  Momentum momentum;
  double last = map.objective(x);
  int steps = 0;
  for (; steps < 5000 && map.distance(x) > close; ++steps) {
    const auto ahead = extrapolated ? momentum.next(x) : std::nullopt;
    if (ahead && map.objective(*ahead) >= last) {
      last = map.objective(*ahead);
      x = map.step(*ahead);
    } else {
      if (ahead) momentum.restart();
      last = map.objective(x);
      x = map.step(x);
    }
  }
  return steps;
}

TEST(Momentum, ReachesTheFixedPointOfAContractionInFewerSteps) {
  const Contraction map;
  // |3 * 0.99^n| = 1e-9
  EXPECT_EQ(steps_to(map, 1e-9, false), std::ceil(std::log(1e-9 / 3) / std::log(0.99)));
  EXPECT_LT(steps_to(map, 1e-9, true), 400);
}

// The logarithm of a probability that is 0 from some iteration on.
TEST(Momentum, WhatIsInfiniteStaysSoAndStopsNobodyElse) {
  const double never = -std::numeric_limits<double>::infinity();
  Momentum momentum;
  EXPECT_FALSE(momentum.next({0.0, -5.0}));
  EXPECT_FALSE(momentum.next({1.0, never}));
  EXPECT_EQ(momentum.next({2.0, never}), (std::vector{2.25, never}));
  EXPECT_EQ(momentum.next({3.0, never}), (std::vector{3.4, never}));
}

TEST(Momentum, GoesOnByAGrowingShareOfTheLastStep) {
  Momentum momentum;
  EXPECT_FALSE(momentum.next({0.0}));
  EXPECT_FALSE(momentum.next({1.0}));
  EXPECT_EQ(momentum.next({2.0}), std::vector{2.25});
  EXPECT_EQ(momentum.next({3.0}), std::vector{3.4});
  momentum.restart();
  EXPECT_FALSE(momentum.next({4.0}));
  EXPECT_EQ(momentum.next({6.0}), std::vector{6.5});
  momentum.clear();
  EXPECT_FALSE(momentum.next({7.0}));
  EXPECT_FALSE(momentum.next({9.0}));
}

TEST(Momentum, SavedItGoesOnWithTheSameBits) {
  Momentum straight, restored;
  for (const double x : {1.0, 1.7, 2.1}) static_cast<void>(straight.next({x, -x}));
  core::TensorFile file;
  straight.save(file, "m.");
  restored.restore(core::parse_tensors(core::serialise_tensors(file), "memory"), "m.");
  EXPECT_EQ(straight.next({2.3, -2.4}), restored.next({2.3, -2.4}));
  EXPECT_EQ(straight.next({2.4, -2.6}), restored.next({2.4, -2.6}));
}

// Two kinds of rows whose answers overlap, so that plain EM is slow; and a number.
class OverlappingClasses : public testing::Test {
 public:
  Dataset data = planted();

  static Dataset planted() {
    core::Rng rng(5, 1);
    std::vector<std::vector<int>> codes;
    for (std::size_t row = 0; row < 600; ++row) {
      auto& answers = codes.emplace_back();
      for (std::size_t j = 0; j < 8; ++j)
        answers.push_back(rng.uniform() < (row % 3 == 0 ? 0.72 : 0.28) ? 1 : 0);
    }
    return test::dataset({test::level_block("bernoulli", codes, std::vector<std::size_t>(8, 2)),
                          test::random_block(families::gaussian_family, 600, 3, 0.1)});
  }

  [[nodiscard]] std::unique_ptr<VariationalEm> started(
      const EmData& prepared, const memberships::MembershipEntry& membership,
      VariationalEm::Steps steps) const {
    EmModel model = make_model(prepared, membership, model::usual_inference(membership), 2);
    model.smoothing = 0.01;
    auto em = std::make_unique<VariationalEm>(prepared, std::move(model), steps);
    em->start_from(random_rows(data, 2, {1, 0}));
    return em;
  }
};

// Single membership: its bound is the likelihood, and there is nothing but EM that iterates.
TEST_F(OverlappingClasses, EndWherePlainEmEndsInFewerIterations) {
  const EmData prepared = prepare(data, 1);
  std::vector<std::size_t> iterations;
  std::vector<std::vector<double>> ends;
  for (const auto steps : {VariationalEm::Steps::plain, VariationalEm::Steps::extrapolated}) {
    const auto em = started(prepared, memberships::single_membership, steps);
    RunTrace trace;
    run(*em, trace, {1e-13, 5000}, [] {});
    EXPECT_EQ(trace.termination, Termination::converged);
    EXPECT_FALSE(trace.fell);
    iterations.push_back(trace.iterations());
    ends.push_back(free_parameters(em->model()));
    ends.back().push_back(trace.bound.back());
  }
  EXPECT_LT(2 * iterations[1], iterations[0]);
  EXPECT_NEAR(ends[0].back(), ends[1].back(), 1e-9 * std::abs(ends[0].back()));
  for (std::size_t i = 0; i < ends[0].size(); ++i) EXPECT_NEAR(ends[0][i], ends[1][i], 1e-4) << i;
}

// The only way to see it from outside: a momentum whose last point is far off, as a file may hold.
TEST_F(OverlappingClasses, AStepThatWouldLowerTheBoundIsTakenBack) {
  const EmData prepared = prepare(data, 1);
  const auto& mixed = memberships::mixed_membership;  // rows go on from where they were
  const auto plain = started(prepared, mixed, VariationalEm::Steps::plain);
  const auto misled = started(prepared, mixed, VariationalEm::Steps::extrapolated);
  for (int i = 0; i < 3; ++i) plain->iterate();
  core::TensorFile file;
  plain->save(file, "");
  std::vector<double> before = free_parameters(plain->model());
  for (std::size_t i = 0; i < before.size(); ++i) before[i] += i % 2 == 0 ? 40 : -40;
  file.put("momentum.before", before);
  file.put("momentum.steps", std::vector<std::int64_t>{9});
  misled->restore(file, "");
  for (int i = 0; i < 2; ++i) {  // after a restart the first step is plain too
    EXPECT_EQ(misled->iterate(), plain->iterate());
    EXPECT_EQ(free_parameters(misled->model()), free_parameters(plain->model()));
    EXPECT_EQ(misled->states(), plain->states());
  }
  EXPECT_GE(misled->iterate(), plain->bound());
}

TEST(FreeParameters, OfAModelAreItsLogarithmsAndBack) {
  const Dataset data = test::dataset({test::random_block(families::categorical_family, 60, 3, 0.1),
                                      test::random_block(families::gaussian_family, 60, 4, 0.1)});
  const EmData prepared = prepare(data, 1);
  const auto& mixed = memberships::mixed_membership;
  EmModel model = make_model(prepared, mixed, model::usual_inference(mixed), 3);
  test::randomise(model, data, 7);
  model.membership->set_parameters(std::vector{0.1, 0.5, 2.0});
  ASSERT_TRUE(has_free_parameters(model));
  std::vector<double> free = free_parameters(model);
  EXPECT_EQ(free.back(), std::log(2.0));
  free.back() = std::log(3.0);
  set_free_parameters(free, model);
  EXPECT_DOUBLE_EQ(model.membership->parameters()[2], 3.0);
  const std::vector<double> again = free_parameters(model);
  for (std::size_t i = 0; i < free.size(); ++i) EXPECT_NEAR(again[i], free[i], 1e-12);
  model.alpha = AlphaMode::fixed;
  free.back() = 0;
  set_free_parameters(free, model);
  EXPECT_DOUBLE_EQ(model.membership->parameters()[2], 3.0);
}

TEST(FreeParameters, SharesSumToOneAgain) {
  const Dataset data = test::dataset({test::random_block(families::bernoulli_family, 60, 3, 0.1)});
  const EmData prepared = prepare(data, 1);
  const auto& single = memberships::single_membership;
  EmModel model = make_model(prepared, single, model::usual_inference(single), 2);
  std::vector<double> free = free_parameters(model);
  free[free.size() - 2] = std::log(6.0);
  free.back() = std::log(2.0);
  set_free_parameters(free, model);
  EXPECT_DOUBLE_EQ(model.membership->parameters()[0], 0.75);
  EXPECT_DOUBLE_EQ(model.membership->parameters()[1], 0.25);
}

TEST(FreeParameters, AreNotAllOfAModelWithMoreToIt) {
  const Dataset data =
      test::dataset({test::random_block(families::categorical_family, 60, 3, 0.1)});
  const EmData prepared = prepare(data, 1);
  const auto model = [&](const memberships::MembershipEntry& membership) {
    return make_model(prepared, membership, model::usual_inference(membership), 3);
  };
  EXPECT_TRUE(has_free_parameters(model(memberships::mixed_membership)));
  EXPECT_FALSE(has_free_parameters(model(memberships::gamma_membership)));
  EXPECT_FALSE(has_free_parameters(model(memberships::correlated_membership)));
  EmModel other = model(memberships::mixed_membership);
  other.smoothing = {0.1, 0, true};
  EXPECT_FALSE(has_free_parameters(other));
  other = model(memberships::mixed_membership);
  other.fit_smoothing();
  EXPECT_FALSE(has_free_parameters(other));
  other = model(memberships::mixed_membership);
  other.head = std::make_unique<heads::Softmax>(3, 2, heads::Bound::lse, 1.0, 0.1);
  EXPECT_FALSE(has_free_parameters(other));
}

}  // namespace
}  // namespace medley::engines
