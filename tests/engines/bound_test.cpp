// SPDX-License-Identifier: Apache-2.0
// The bound of a row against the exact likelihood, for every family, membership and inference.
#include <gtest/gtest.h>

#include <cmath>

#include "support/em.hpp"
#include "support/exact.hpp"
#include "support/quick.hpp"
#include "support/toy.hpp"

namespace medley::engines {
namespace {

const memberships::MembershipEntry& mixed = memberships::mixed_membership;

// Two blocks of different families, short rows, missing cells.
Dataset tiny(const families::FamilyEntry& entry, std::uint64_t seed) {
  return test::dataset({test::random_block(entry, 60, seed, 0.4),
                        test::random_block(families::bernoulli_family, 60, seed + 1, 0.5)});
}

void set_alpha(EmModel& model, std::uint64_t seed) {
  core::Rng rng(seed, 5);
  std::vector<double> alpha;
  for (std::size_t k = 0; k < model.membership->components(); ++k)
    alpha.push_back(std::exp(3 * rng.uniform() - 2.5));
  model.membership->set_parameters(alpha);
}

TEST(Bound, MixedIsNeverAboveTheExactLikelihood) {
  std::size_t rows = 0;
  double largest_gap = 0;
  const std::uint64_t seeds = test::quick() ? 2 : 12;
  for (const auto* entry : families::registry()) {
    for (std::uint64_t seed = 0; seed < seeds; ++seed) {
      for (const model::Inference* mode : model::offered(mixed)) {
        const Dataset data = tiny(*entry, 100 * seed);
        EmModel model = make_model(prepare(data, 1), mixed, *mode, 3);
        test::randomise(model, data, seed);
        set_alpha(model, seed);
        const std::vector<double> alpha(model.membership->parameters().begin(),
                                        model.membership->parameters().end());
        const auto scored = test::score(model, data);
        for (std::size_t row = 0; row < data.rows; ++row) {
          if (data.observed(row) > 14) continue;  // the recursion grows with the row
          const double exact = test::exact_log_likelihood(test::plain_rows(model, data, row),
                                                          test::plain_weights(data, row), alpha);
          ASSERT_LE(scored.bound[row], exact + 1e-9)
              << entry->name << " " << mode->name << " row " << row;
          largest_gap = std::max(largest_gap, exact - scored.bound[row]);
          ++rows;
        }
      }
    }
  }
  EXPECT_GT(rows, 250 * seeds);
  EXPECT_GT(largest_gap, 0.05);  // the comparison means something
}

TEST(Bound, OneObservationIsBelowTheLikelihoodByLessThanANat) {
  const Dataset data = test::dataset({test::level_block("bernoulli", {{0}, {1}}, {2})});
  for (const model::Inference* mode : model::offered(mixed)) {
    EmModel model = make_model(prepare(data, 1), mixed, *mode, 3);
    test::randomise(model, data, 4);
    set_alpha(model, 4);
    const std::vector<double> alpha(model.membership->parameters().begin(),
                                    model.membership->parameters().end());
    const auto scored = test::score(model, data);
    for (std::size_t row = 0; row < 2; ++row) {
      const double exact =
          test::exact_log_likelihood(test::plain_rows(model, data, row), {1}, alpha);
      EXPECT_LE(scored.bound[row], exact);
      EXPECT_GT(scored.bound[row], exact - 1.0);
    }
  }
}

TEST(Bound, SingleIsTheExactMixtureLikelihood) {
  const auto& single = memberships::single_membership;
  for (const auto* entry : families::registry()) {
    const Dataset data = tiny(*entry, 7);
    EmModel model = make_model(prepare(data, 1), single, model::usual_inference(single), 4);
    test::randomise(model, data, 3);
    const std::vector<double> pi = {0.1, 0.2, 0.3, 0.4};
    model.membership->set_parameters(pi);
    const auto scored = test::score(model, data);
    for (std::size_t row = 0; row < data.rows; ++row) {
      const auto rows = test::plain_rows(model, data, row);
      const auto weights = test::plain_weights(data, row);
      double p = 0;
      for (std::size_t k = 0; k < 4; ++k) {
        double product = pi[k];
        for (std::size_t o = 0; o < rows.size(); ++o) product *= std::pow(rows[o][k], weights[o]);
        p += product;
      }
      ASSERT_NEAR(scored.bound[row], std::log(p), 1e-10 * (1 + std::abs(std::log(p))));
    }
  }
}

TEST(Bound, HoldsWhenNormalisersUnderflow) {
  // Nine cells say component 0 and one says component 1, with odds far beyond float's range and a
  // tiny alpha.
  const std::vector<std::vector<int>> codes = {{0, 0, 0, 0, 0, 0, 0, 0, 0, 1},
                                               {1, 1, 1, 1, 1, 1, 1, 1, 1, 0}};
  const Dataset data =
      test::dataset({test::level_block("bernoulli", codes, std::vector<std::size_t>(10, 2))});
  for (const model::Inference* mode : model::offered(mixed)) {
    EmModel model = make_model(prepare(data, 1), mixed, *mode, 2);
    std::vector<double> table(model.families[0]->parameters().size(), 0.0);
    for (std::size_t slot = 0; slot < 20; ++slot) {
      const bool one = slot % 2 == 1;
      table[slot * 8] = one ? 1e-60 : 1.0;
      table[slot * 8 + 1] = one ? 1.0 : 1e-60;
    }
    model.families[0]->set_parameters(table);
    const std::vector<double> alpha = {1e-4, 1e-4};
    model.membership->set_parameters(alpha);
    const auto scored = test::score(model, data);
    for (std::size_t row = 0; row < 2; ++row) {
      const double exact = test::exact_log_likelihood(test::plain_rows(model, data, row),
                                                      test::plain_weights(data, row), alpha);
      EXPECT_TRUE(std::isfinite(scored.bound[row]));
      EXPECT_LE(scored.bound[row], exact + 1e-9);
      EXPECT_GT(scored.bound[row], exact - (std::string(mode->name) == "fast" ? 200 : 5));
    }
  }
}

TEST(Bound, RowWithNothingObservedGetsThePriorAndZero) {
  const Dataset data =
      test::dataset({test::level_block("categorical", {{-1, -1}, {0, 2}}, {2, 3})});
  for (const auto* entry : memberships::registry()) {
    if (entry->counts) continue;  // that there is nothing says something
    for (const model::Inference* mode : model::offered(*entry)) {
      EmModel model = make_model(prepare(data, 1), *entry, *mode, 2);
      test::randomise(model, data, 1);
      model.membership->set_parameters(std::vector<double>{0.6, 0.2});
      const auto scored = test::score(model, data);
      EXPECT_EQ(scored.bound[0], 0.0);
      const double total = entry->dirichlet ? 0.8 : 1.0;
      EXPECT_NEAR(scored.share[0], 0.6 / total, 1e-12);
      EXPECT_NEAR(scored.share[1], 0.2 / total, 1e-12);
    }
  }
}

}  // namespace
}  // namespace medley::engines
