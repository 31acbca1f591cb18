// SPDX-License-Identifier: Apache-2.0
// The exact E-step against the sum over every assignment of components to observations.
#include "model/exact_estep.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "support/all_assignments.hpp"
#include "support/em.hpp"
#include "support/quick.hpp"
#include "support/toy.hpp"

namespace medley::model {
namespace {

constexpr double kNever = 1e300;

// Answers, words and numbers; missing cells, an empty row, repeated words, weights.
Dataset mixed_rows() {
  const double none = std::nan("");
  Dataset data = test::dataset(
      {test::level_block("categorical",
                         {{0, 1, -1}, {2, 0, 1}, {-1, -1, -1}, {1, 1, 0}, {2, 0, 1}, {2, 1, 1}},
                         {3, 2, 2}),
       test::token_block("words",
                         {{2, 0, 1}, {0, 0, 0}, {0, 0, 0}, {0, 3, 1}, {0, 0, 1}, {0, 0, 1}}),
       test::real_block("gaussian", {{0.5}, {none}, {none}, {-1.0}, {0.5}, {2.0}}, 1)});
  data.row_weight = {1, 2, 3, 0.5, 1.5, 1};
  return data;
}

struct Fitted {
  engines::EmModel model;
  std::vector<const families::Family*> families;
  Fitted(const Dataset& data, const std::vector<double>& alpha)
      : model(engines::make_model(engines::prepare(data, 1), memberships::mixed_membership,
                                  model::usual_inference(memberships::mixed_membership),
                                  alpha.size())) {
    test::randomise(model, data, 4);
    model.membership->set_parameters(alpha);
    for (auto& family : model.families) {
      family->prepare(true);
      families.push_back(family.get());
    }
  }
  [[nodiscard]] EStepModel estep() const {
    return {families, model.membership.get(), model.inference};
  }
};

std::vector<std::vector<double>> unrolled(const Fitted& fitted, const Dataset& data,
                                          std::size_t row) {
  std::vector<std::vector<double>> l;
  const auto rows = test::plain_rows(fitted.model, data, row);
  const auto weight = test::plain_weights(data, row);
  for (std::size_t o = 0; o < rows.size(); ++o)
    l.insert(l.end(), static_cast<std::size_t>(weight[o]), rows[o]);
  return l;
}

// The distinct cell of every observation, in the order of unrolled().
std::vector<std::uint32_t> codes_of(const ExactPlan& plan, const Dataset& data, std::size_t row) {
  std::vector<std::uint32_t> codes;
  for (std::size_t b = 0; b < data.blocks.size(); ++b) {
    const Block& block = data.blocks[b];
    for (std::uint64_t c = block.row_start[row]; c < block.row_start[row + 1]; ++c) {
      codes.insert(codes.end(), static_cast<std::size_t>(block.weight_of(c)),
                   plan.cells.code[b][c]);
    }
  }
  return codes;
}

void expect_enumeration(const Dataset& data, const std::vector<double>& alpha) {
  const Fitted fitted(data, alpha);
  const std::size_t components = alpha.size(), padded = kernels::padded(components);
  const ExactPlan plan = plan_exact(data, components, kNever);
  ExactEStep estep(plan, data, 1);
  const ExactStatistics found = estep.expectation(fitted.estep());
  const ScoredRows scored = estep.score(fitted.estep());
  const std::vector<double> likelihood = estep.log_likelihoods(fitted.estep());
  for (std::size_t row = 0; row < likelihood.size(); ++row)
    EXPECT_NEAR(likelihood[row], scored.bound[row], 1e-11);
  double log_likelihood = 0;
  std::vector<double> cells(found.cells.size(), 0.0), gradient(components, 0.0);
  math::CountsOfCounts counts(components, plan.depth);
  for (std::size_t row = 0; row < data.rows; ++row) {
    const test::AllAssignments truth = test::all_assignments(unrolled(fitted, data, row), alpha);
    const double weight = data.weight_of(row);
    log_likelihood += weight * truth.log_p;
    EXPECT_NEAR(scored.bound[row], truth.log_p, 1e-12 * (1 + std::abs(truth.log_p)));
    const auto codes = codes_of(plan, data, row);
    for (std::size_t o = 0; o < codes.size(); ++o) {
      for (std::size_t k = 0; k < components; ++k)
        cells[codes[o] * padded + k] += weight * truth.responsibility[o][k];
    }
    for (const auto& [n, p] : truth.counts) {
      for (std::size_t k = 0; k < components; ++k) {
        for (int t = 0; t < n[k]; ++t)
          counts.component[k][static_cast<std::size_t>(t)] += weight * p;
      }
    }
    for (std::size_t t = 0; t < codes.size(); ++t) counts.total[t] += weight;
    for (std::size_t k = 0; k < components; ++k) {
      EXPECT_NEAR(scored.share[row * components + k], truth.share[k], 1e-12);
      gradient[k] += weight * truth.alpha_gradient[k];
    }
  }
  EXPECT_NEAR(found.log_likelihood, log_likelihood, 1e-12 * std::abs(log_likelihood));
  for (std::size_t i = 0; i < cells.size(); ++i) EXPECT_NEAR(found.cells[i], cells[i], 1e-12);
  const auto alpha_gradient = math::polya_gradient(alpha, found.counts);
  for (std::size_t k = 0; k < components; ++k) {
    for (std::size_t t = 0; t < plan.depth; ++t)
      EXPECT_NEAR(found.counts.component[k][t], counts.component[k][t], 1e-12);
    EXPECT_NEAR(alpha_gradient[k], gradient[k], 1e-11 * (1 + std::abs(gradient[k])));
  }
  EXPECT_EQ(found.counts.total, counts.total);
}

TEST(ExactEStep, EqualsTheSumOverAllAssignments) {
  expect_enumeration(mixed_rows(), {0.3, 1.0, 2.5});
  expect_enumeration(mixed_rows(), {0.4, 0.2});
  expect_enumeration(mixed_rows(), {2.0});
}

TEST(ExactEStep, EqualsTheSumOverAllAssignmentsAtTheLimitsOfAlpha) {
  const Dataset data = mixed_rows();
  const std::vector<double> alpha = {1e-6, 0.01, 1e4};
  const Fitted fitted(data, alpha);
  const ExactPlan plan = plan_exact(data, 3, kNever);
  const ScoredRows scored = ExactEStep(plan, data, 1).score(fitted.estep());
  for (std::size_t row = 0; row < data.rows; ++row) {
    const test::AllAssignments truth = test::all_assignments(unrolled(fitted, data, row), alpha);
    EXPECT_NEAR(scored.bound[row], truth.log_p, 1e-10);  // lnB cancels in the truth
  }
}

// Many rows of five items in three levels share beginnings and ends in every way; the lanes are
// full, and rows are cut into several chunks.
TEST(ExactEStep, SharingChangesNothing) {
  const std::size_t rows = test::quick() ? 30 : 90;
  const Dataset data =
      test::dataset({test::random_block(families::categorical_family, rows, 3, 0.2),
                     test::random_block(families::bernoulli_family, rows, 4, 0.1)});
  const std::vector<double> alpha = {0.2, 0.5, 0.7};
  const Fitted fitted(data, alpha);
  const ExactPlan plan = plan_exact(data, 3, kNever);
  const ExactStatistics all = ExactEStep(plan, data, 1).expectation(fitted.estep());
  double log_likelihood = 0;
  std::vector<double> cells(all.cells.size(), 0.0);
  const std::size_t padded = kernels::padded(3);
  for (std::size_t row = 0; row < data.rows; ++row) {
    const test::AllAssignments truth = test::all_assignments(unrolled(fitted, data, row), alpha);
    log_likelihood += truth.log_p;
    const auto codes = codes_of(plan, data, row);
    for (std::size_t o = 0; o < codes.size(); ++o) {
      for (std::size_t k = 0; k < 3; ++k)
        cells[codes[o] * padded + k] += truth.responsibility[o][k];
    }
  }
  EXPECT_NEAR(all.log_likelihood, log_likelihood, 1e-12 * std::abs(log_likelihood));
  for (std::size_t i = 0; i < cells.size(); ++i) EXPECT_NEAR(all.cells[i], cells[i], 1e-11);
}

// More components than the kernels know by number.
TEST(ExactEStep, ManyComponents) {
  const Dataset data = test::dataset({test::level_block("categorical", {{0, 1}, {2, 0}}, {3, 2})});
  expect_enumeration(data, std::vector<double>(12, 0.1));
}

TEST(ExactEStep, TheSameBitsAtAnyNumberOfThreads) {
  const Dataset data =
      test::dataset({test::random_block(families::gaussian_family, 200, 3, 0.3),
                     test::random_block(families::categorical_family, 200, 5, 0.3)});
  const Fitted fitted(data, {0.2, 0.4, 0.6, 0.1});
  const ExactPlan plan = plan_exact(data, 4, kNever);
  ExactEStep alone(plan, data, 1);
  const ExactStatistics one = alone.expectation(fitted.estep());
  for (const std::size_t threads : {2U, 3U}) {
    ExactEStep estep(plan, data, threads);
    const ExactStatistics more = estep.expectation(fitted.estep());
    EXPECT_EQ(one.log_likelihood, more.log_likelihood);
    EXPECT_EQ(one.cells, more.cells);
    EXPECT_EQ(one.counts.component, more.counts.component);
    EXPECT_EQ(alone.score(fitted.estep()).share, estep.score(fitted.estep()).share);
  }
}

}  // namespace
}  // namespace medley::model
