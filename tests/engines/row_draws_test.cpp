// SPDX-License-Identifier: Apache-2.0
// Drawn counts of rows against all assignments written out, and whatever the threads.
#include "engines/drawn_alpha.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "kernels/lanes.hpp"
#include "memberships/registry.hpp"
#include "support/em.hpp"
#include "support/toy.hpp"

namespace medley::engines {
namespace {

constexpr std::size_t kComponents = 3;

// With the tables of a model.
RowDraws draws_of(const Dataset& data, const EmModel& model) {
  return {data, kComponents,
          [&](std::size_t row, RowCells& out) {
            for (const auto& beta : test::plain_rows(model, data, row)) {
              for (std::size_t k = 0; k < kernels::padded(kComponents); ++k)
                out.likelihood.push_back(k < kComponents ? static_cast<float>(beta[k]) : 0.0F);
            }
            for (const Block& block : data.blocks) {
              for (std::uint64_t c = block.row_start[row]; c < block.row_start[row + 1]; ++c)
                out.weight.push_back(block.weight_of(c));
            }
          },
          5};
}

EmModel random_model(const EmData& data) {
  const auto& mixed = memberships::mixed_membership;
  EmModel model = make_model(data, mixed, *model::find_inference("collapsed"), kComponents);
  test::randomise(model, *data.data, 4);
  return model;
}

// p(n_k = 0 | x) and E[n_k | x] of a row, over all K^m assignments:
// p(z, x) ~ prod_k Gamma(alpha_k + n_k) prod_o beta_o,z_o.
struct Exact {
  std::vector<double> none = std::vector<double>(kComponents, 0.0), mean = none;
  Exact(const std::vector<std::vector<double>>& beta, const std::vector<double>& alpha) {
    double all = 0;
    const auto many = static_cast<std::size_t>(std::pow(kComponents, beta.size()));
    for (std::size_t code = 0; code < many; ++code) {
      std::vector<double> n(kComponents, 0.0);
      double p = 1;
      std::size_t rest = code;
      for (const auto& of : beta) {
        p *= of[rest % kComponents];
        n[rest % kComponents] += 1;
        rest /= kComponents;
      }
      for (std::size_t k = 0; k < kComponents; ++k) p *= std::tgamma(alpha[k] + n[k]);
      all += p;
      for (std::size_t k = 0; k < kComponents; ++k) {
        mean[k] += p * n[k];
        if (n[k] == 0) none[k] += p;
      }
    }
    for (double& v : mean) v /= all;
    for (double& v : none) v /= all;
  }
};

TEST(RowDraws, CountsHaveTheirExactDistribution) {
  const Dataset data = test::dataset(
      {test::token_block("words", {{2, 0, 1, 0}, {0, 1, 1, 3}}),
       test::level_block(families::categorical_family.name, {{1, 0}, {-1, 1}}, {3, 2})});
  const EmData prepared = prepare(data, 1);
  const EmModel model = random_model(prepared);
  const std::vector<double> alpha = {0.2, 0.7, 0.4};
  RowDraws draws = draws_of(data, model);
  ASSERT_EQ(draws.chains(), 2U);
  constexpr int kSweeps = 40'000;
  std::vector<double> none(2 * kComponents, 0.0), mean = none;
  for (int i = 0; i < kSweeps; ++i) {
    draws.sweep(alpha, 1);
    for (std::size_t j = 0; j < none.size(); ++j) {
      const auto n = static_cast<double>(draws.counts(j / kComponents)[j % kComponents]);
      mean[j] += n / kSweeps;
      none[j] += (n == 0 ? 1.0 : 0.0) / kSweeps;
    }
  }
  for (std::size_t row = 0; row < 2; ++row) {
    const auto rows = test::plain_rows(model, data, row);
    const auto weight = test::plain_weights(data, row);
    std::vector<std::vector<double>> beta;
    for (std::size_t o = 0; o < rows.size(); ++o)
      beta.insert(beta.end(), static_cast<std::size_t>(weight[o]), rows[o]);
    EXPECT_EQ(draws.size(row), static_cast<double>(beta.size()));
    const Exact exact(beta, alpha);
    for (std::size_t k = 0; k < kComponents; ++k) {
      EXPECT_NEAR(mean[row * kComponents + k], exact.mean[k], 0.06);
      EXPECT_NEAR(none[row * kComponents + k], exact.none[k], 0.02);
    }
  }
}

// Weights that are not whole: all of them is dealt out. A row of weight 2.5 has three chains.
TEST(RowDraws, WeightsNeedNotBeWhole) {
  Dataset data = test::dataset({test::token_block("words", {{2, 0, 1}, {0, 1, 1}, {0, 0, 0}})});
  data.blocks[0].weight = {2.5F, 0.25F, 1.0F, 0.75F};
  data.row_weight = {1.0, 2.5, 1.0};
  const EmData prepared = prepare(data, 1);
  const EmModel model = random_model(prepared);
  RowDraws draws = draws_of(data, model);
  ASSERT_EQ(draws.chains(), 4U);
  EXPECT_DOUBLE_EQ(draws.weight(0), 1.0);
  EXPECT_DOUBLE_EQ(draws.weight(1) + draws.weight(2) + draws.weight(3), 2.5);
  const std::vector<double> alpha = {0.2, 0.7, 0.4};
  for (int i = 0; i < 50; ++i) {
    draws.sweep(alpha, 1);
    for (std::size_t c = 0; c < 4; ++c) {
      const auto n = draws.counts(c);
      EXPECT_DOUBLE_EQ(draws.size(c), c == 0 ? 2.75 : 1.75);
      EXPECT_FLOAT_EQ(std::accumulate(n.begin(), n.end(), 0.0F), c == 0 ? 2.75F : 1.75F);
    }
  }
}

TEST(RowDraws, LargeDataAreSampledEvenly) {
  const std::vector<std::vector<int>> counts(3000, {50, 40, 10});
  const Dataset data = test::dataset({test::token_block("words", counts)});
  const EmData prepared = prepare(data, 1);
  const EmModel model = random_model(prepared);
  const RowDraws draws = draws_of(data, model);
  EXPECT_NEAR(static_cast<double>(draws.chains()) * 100, RowDraws::kMostObservations, 200);
  EXPECT_FALSE(draws.complete());
}

}  // namespace
}  // namespace medley::engines
