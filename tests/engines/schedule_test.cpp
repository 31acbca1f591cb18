// SPDX-License-Identifier: Apache-2.0
// Cold rows and an alpha that is held, before mean-field EM proper; and what it gains to choose
// between them.
#include <gtest/gtest.h>

#include <cmath>

#include "engines/contest.hpp"
#include "engines/starts.hpp"
#include "engines/variational_em.hpp"
#include "math/dirichlet.hpp"
#include "math/special.hpp"
#include "medley/fit.hpp"
#include "memberships/registry.hpp"
#include "support/quick.hpp"
#include "support/toy.hpp"

namespace medley::engines {
namespace {

constexpr std::size_t kComponents = 3;

// Rows that mix three profiles of many numbers about evenly.
Dataset mixed_numbers(std::size_t rows, std::size_t columns) {
  core::Rng rng(3, 1);
  std::vector<std::vector<double>> numbers;
  for (std::size_t row = 0; row < rows; ++row) {
    std::vector<double> theta(kComponents);
    double total = 0;
    for (double& t : theta) total += t = rng.gamma(1.0);
    auto& out = numbers.emplace_back();
    for (std::size_t j = 0; j < columns; ++j) {
      double u = rng.uniform() * total;
      std::size_t k = 0;
      while (k + 1 < kComponents && u > theta[k]) u -= theta[k++];
      const double mean = j % kComponents == k ? 2.0 : -1.0;
      out.push_back(mean + rng.normal());
    }
  }
  return test::dataset({test::real_block("gaussian", numbers, columns)});
}

class Schedules : public testing::Test {
 public:
  Dataset data = mixed_numbers(60, 12);
  EmData prepared = prepare(data, 1);

  [[nodiscard]] std::unique_ptr<VariationalEm> started(AlphaMode alpha = AlphaMode::fitted) const {
    const auto& mixed = memberships::mixed_membership;
    EmModel m = make_model(prepared, mixed, model::usual_inference(mixed), kComponents);
    m.alpha = alpha;
    m.smoothing = 0.01;
    auto em =
        std::make_unique<VariationalEm>(prepared, std::move(m), VariationalEm::Steps::extrapolated);
    em->start_from(random_rows(data, kComponents, {1, 0}));
    return em;
  }
};

TEST_F(Schedules, ColdIterationsDependOnTheParametersAlone) {
  const auto straight = started(), taken_up = started();
  straight->follow({.cold = true});
  for (int i = 0; i < 4; ++i) straight->iterate();
  // The other one is given the same parameters, and rows in which it would stay if it were warm.
  core::TensorFile file;
  straight->save(file, "");
  taken_up->restore(file, "");
  std::vector<double> shares(data.rows * kComponents, 0.01);
  for (std::size_t row = 0; row < data.rows; ++row) shares[row * kComponents] = 0.98;
  taken_up->start_states(shares);
  for (int i = 0; i < 3; ++i) EXPECT_EQ(straight->iterate(), taken_up->iterate()) << i;
}

TEST_F(Schedules, AlphaIsHeldAndThenFitted) {
  const auto em = started();
  em->follow({.cold = true, .alpha = 0.7});
  for (std::size_t i = 1; i < VariationalEm::kHeld; ++i) {
    em->iterate();
    for (const double a : em->model().membership->parameters()) EXPECT_EQ(a, 0.7) << i;
  }
  em->iterate();
  EXPECT_NE(em->model().membership->parameters()[0], 0.7);
}

// With rows as they are the bound is a known function of alpha, one number here. Its maximum is
// looked for by trisection.
TEST_F(Schedules, WhileAlphaIsHeldTheBoundIsThatOfTheBestAlpha) {
  const auto em = started(AlphaMode::symmetric);
  em->follow({.cold = true, .alpha = 0.7});
  const double log_prior = em->model().log_prior();
  const double judged = em->iterate();
  double sum_log_theta = 0;
  for (std::size_t row = 0; row < data.rows; ++row) {
    double total = 0;
    for (std::size_t k = 0; k < kComponents; ++k) total += em->states()[row * kComponents + k];
    for (std::size_t k = 0; k < kComponents; ++k)
      sum_log_theta += math::digamma(em->states()[row * kComponents + k]) - math::digamma(total);
  }
  const auto part = [&](double a) {
    return a * sum_log_theta -
           static_cast<double>(data.rows) * math::log_beta(std::vector<double>(kComponents, a));
  };
  double low = 1e-3, high = 100;
  for (int i = 0; i < 200; ++i) {
    const double third = std::pow(high / low, 1.0 / 3), left = low * third, right = high / third;
    (part(left) < part(right) ? low : high) = part(left) < part(right) ? left : right;
  }
  EXPECT_GT(part(low), part(0.7) + 0.1);
  EXPECT_NEAR(judged, em->bound() + log_prior + part(low) - part(0.7), 1e-6);
}

// A fit whose alpha is fitted may not end below one whose alpha is given: that is a special case.
TEST(ScheduledFit, FittedAlphaEndsNoLowerThanAGivenOne) {
  const Dataset data = mixed_numbers(test::quick() ? 150 : 300, 60);
  FitOptions o;
  o.components = kComponents;
  o.model = "mmnb";
  o.threads = 1;
  const Model fitted = fit(data, o);
  for (const char* alpha : {"fixed:0.5", "fixed:1"}) {
    o.alpha = alpha;
    const Model given = fit(data, o);
    EXPECT_GT(fitted.summary().penalised_bound,
              given.summary().penalised_bound - 1e-4 * std::abs(given.summary().penalised_bound))
        << alpha;
  }
  const auto& tried = fitted.summary().restarts[0].tried;
  ASSERT_GE(tried.size(), 2U);
  for (const char* name : {"warm", "cold"})
    EXPECT_EQ(std::ranges::count(tried, name, &TriedStart::name), 1) << name;
  EXPECT_FALSE(fitted.summary().restarts[0].bound.empty());
  EXPECT_TRUE(fitted.summary().training_bound);
}

TEST(ScheduledFit, FewIterationsLeaveNoTimeToChoose) {
  FitOptions o;
  o.components = kComponents;
  o.model = "mmnb";
  o.max_iterations = 5;
  const Model model = fit(mixed_numbers(60, 12), o);
  EXPECT_TRUE(model.summary().restarts[0].tried.empty());
  EXPECT_EQ(model.summary().iterations, 5U);
}

}  // namespace
}  // namespace medley::engines
