// SPDX-License-Identifier: Apache-2.0
// Exact rows against the sum over every assignment of components to observations.
#include "model/exact_rows.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "math/dirichlet.hpp"
#include "support/all_assignments.hpp"
#include "support/em.hpp"
#include "support/toy.hpp"

namespace medley::model {
namespace {

constexpr std::size_t kComponents = 3;

struct Truth {
  double p = 0;
  std::vector<double> share = std::vector<double>(kComponents, 0.0);
};

// sum_z prod_o l_o,z_o exp(lnB(alpha + n(z)) - lnB(alpha)), one z at a time.
Truth enumerate(const std::vector<std::vector<double>>& l, const std::vector<double>& alpha) {
  Truth truth;
  const double alpha_sum = std::accumulate(alpha.begin(), alpha.end(), 0.0);
  std::vector<std::size_t> z(l.size(), 0);
  for (bool more = true; more;) {
    std::vector<double> counted = alpha;
    double p = 1;
    for (std::size_t o = 0; o < l.size(); ++o) {
      p *= l[o][z[o]];
      counted[z[o]] += 1;
    }
    p *= std::exp(math::log_beta(counted) - math::log_beta(alpha));
    truth.p += p;
    for (std::size_t k = 0; k < kComponents; ++k)
      truth.share[k] += p * counted[k] / (alpha_sum + static_cast<double>(l.size()));
    more = false;
    for (std::size_t o = 0; o < z.size() && !more; ++o) {
      z[o] = (z[o] + 1) % kComponents;
      more = z[o] != 0;
    }
  }
  for (double& share : truth.share) share /= truth.p;
  return truth;
}

Dataset words_and_answers() {
  return test::dataset(
      {test::level_block("categorical", {{0, 1, -1}, {2, 0, 1}, {-1, -1, -1}, {1, 1, 0}, {2, 0, 1}},
                         {3, 2, 2}),
       test::token_block("words", {{2, 0, 1}, {0, 0, 0}, {0, 0, 0}, {0, 3, 1}, {0, 0, 0}})});
}

engines::EmModel random_model(const Dataset& data, const std::vector<double>& alpha) {
  const auto& mixed = memberships::mixed_membership;
  auto model = engines::make_model(engines::prepare(data, 1), mixed, model::usual_inference(mixed),
                                   kComponents);
  test::randomise(model, data, 4);
  model.membership->set_parameters(alpha);
  for (auto& family : model.families) family->prepare(true);
  return model;
}

ScoredRows solve(const engines::EmModel& model, const Dataset& data, std::size_t threads) {
  std::vector<const families::Family*> families;
  for (const auto& family : model.families) families.push_back(family.get());
  return score_exactly({families, model.membership.get(), model.inference}, data, threads);
}

std::vector<double> log_likelihoods(const engines::EmModel& model, const Dataset& data,
                                    std::size_t threads) {
  std::vector<const families::Family*> families;
  for (const auto& family : model.families) families.push_back(family.get());
  return exact_log_likelihoods({families, model.membership.get(), model.inference}, data, threads);
}

TEST(ExactRows, EqualTheSumOverAllAssignments) {
  const Dataset data = words_and_answers();
  for (const std::vector<double>& alpha :
       {std::vector<double>{0.3, 1.0, 2.5}, std::vector<double>{1e-6, 0.01, 1e-3}}) {
    const engines::EmModel model = random_model(data, alpha);
    const ScoredRows solved = solve(model, data, 1);
    const std::vector<double> likelihood = log_likelihoods(model, data, 2);
    for (std::size_t row = 0; row < data.rows; ++row) {
      std::vector<std::vector<double>> l;
      const auto distinct = test::plain_rows(model, data, row);
      const auto weight = test::plain_weights(data, row);
      for (std::size_t o = 0; o < distinct.size(); ++o)
        l.insert(l.end(), static_cast<std::size_t>(weight[o]), distinct[o]);
      const Truth truth = enumerate(l, alpha);
      EXPECT_NEAR(solved.bound[row], std::log(truth.p), 1e-12);
      EXPECT_NEAR(likelihood[row], std::log(truth.p), 1e-12);
      for (std::size_t k = 0; k < kComponents; ++k)
        EXPECT_NEAR(solved.share[row * kComponents + k], truth.share[k], 1e-12);
    }
  }
}

TEST(ExactRows, LongRowsDoNotUnderflow) {
  // One component: the likelihood is the plain product, far below the smallest double.
  std::vector<int> counts = {900, 600};
  const Dataset data = test::dataset({test::token_block("words", {counts})});
  const auto& mixed = memberships::mixed_membership;
  auto model =
      engines::make_model(engines::prepare(data, 1), mixed, model::usual_inference(mixed), 2);
  std::vector<double> table(model.families[0]->parameters().begin(),
                            model.families[0]->parameters().end());
  const std::size_t width = model.families[0]->padded();
  for (std::size_t k = 0; k < 2; ++k) table[k] = 0.25, table[width + k] = 0.75;
  model.families[0]->set_parameters(table);
  for (auto& family : model.families) family->prepare(true);
  EXPECT_NEAR(solve(model, data, 1).bound[0], 900 * std::log(0.25) + 600 * std::log(0.75), 1e-8);
}

TEST(ExactRows, TheSameBitsAtAnyNumberOfThreads) {
  Dataset data = test::dataset({test::random_block(*families::find("categorical"), 60, 3, 0.3)});
  const engines::EmModel model = random_model(data, {0.2, 0.4, 0.6});
  const ScoredRows one = solve(model, data, 1), three = solve(model, data, 3);
  EXPECT_EQ(one.bound, three.bound);
  EXPECT_EQ(one.share, three.share);
}

TEST(ExactRows, ExpectationsOverCountsEqualTheSumOverAllAssignments) {
  const Dataset data = words_and_answers();
  const std::vector<double> alpha = {0.3, 1.0, 2.5};
  const engines::EmModel model = random_model(data, alpha);
  std::vector<const families::Family*> families;
  for (const auto& family : model.families) families.push_back(family.get());
  // Nothing that the expected counts alone would tell.
  const auto f = [](double a, double b, double c, double m) {
    return std::vector<double>{a * b + 1, std::exp(-c), m};
  };
  for (const std::size_t threads : {1U, 3U}) {
    const std::vector<double> found = expect_of_counts(
        {families, model.membership.get(), model.inference}, data, threads, 3,
        [&](std::span<const std::uint16_t> n, std::size_t m, std::span<double> out) {
          std::ranges::copy(f(n[0], n[1], n[2], static_cast<double>(m)), out.begin());
        });
    ASSERT_EQ(found.size(), data.rows * 3);
    for (std::size_t row = 0; row < data.rows; ++row) {
      std::vector<std::vector<double>> l;
      const auto distinct = test::plain_rows(model, data, row);
      const auto weight = test::plain_weights(data, row);
      for (std::size_t o = 0; o < distinct.size(); ++o)
        l.insert(l.end(), static_cast<std::size_t>(weight[o]), distinct[o]);
      std::vector<double> truth(3, 0.0);
      for (const auto& [n, p] : test::all_assignments(l, alpha).counts) {
        const auto value = f(n[0], n[1], n[2], static_cast<double>(l.size()));
        for (std::size_t i = 0; i < 3; ++i) truth[i] += p * value[i];
      }
      for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(found[row * 3 + i], truth[i], 1e-12);
    }
  }
}

TEST(ExactRows, CostIsCountedBeforehand) {
  const Dataset data = words_and_answers();
  // Sizes 5, 3, 0, 7 (the last row repeats the second): C(m + 3, 3) nodes each.
  EXPECT_DOUBLE_EQ(exact_cost(data, 3).steps, 3.0 * (56 + 20 + 1 + 120));
  Dataset tempered = data;
  tempered.blocks[0].weight.assign(tempered.blocks[0].cells(), 0.5F);
  EXPECT_FALSE(exact_cost(tempered, 3).affordable(1e300));
}

}  // namespace
}  // namespace medley::model
