// SPDX-License-Identifier: Apache-2.0
// The sampling estimators of a row's likelihood against the exact value.
#include <gtest/gtest.h>

#include <boost/math/distributions/chi_squared.hpp>
#include <boost/math/distributions/normal.hpp>
#include <boost/math/distributions/students_t.hpp>
#include <cmath>

#include "evaluate/estimators.hpp"
#include "evaluate/importance.hpp"
#include "evaluate/left_to_right.hpp"
#include "model/exact_rows.hpp"
#include "support/em.hpp"
#include "support/toy.hpp"

namespace medley::evaluation {
namespace {

// Rows of words and answers with random tables, their exact likelihood and variational posterior.
class Estimators : public testing::TestWithParam<double> {
 public:
  static constexpr std::size_t kComponents = 3;
  Dataset data = test::dataset({test::random_block(*families::find("tokens"), 40, 8, 0.4),
                                test::random_block(*families::find("categorical"), 40, 9, 0.3)});
  std::vector<double> alpha = {GetParam(), 2 * GetParam(), 0.5 * GetParam()};
  engines::EmModel model =
      engines::make_model(engines::prepare(data, 1), memberships::mixed_membership,
                          model::usual_inference(memberships::mixed_membership), kComponents);
  std::vector<const families::Family*> families;
  std::vector<double> exact;

  void SetUp() override {
    test::randomise(model, data, 7);
    model.membership->set_parameters(alpha);
    for (auto& family : model.families) {
      family->prepare(true);
      families.push_back(family.get());
    }
    exact =
        model::score_exactly({families, model.membership.get(), model.inference}, data, 1).bound;
  }

  // gamma of the row from the documented start.
  std::vector<double> posterior(std::size_t row) {
    model::RowSolver solver({families, model.membership.get(), model.inference}, data);
    std::vector<double> gamma(kComponents);
    model.membership->start(data.observed(row), gamma);
    solver.solve(row, model::kScoreLimits, model::Precision::score, gamma);
    return gamma;
  }

  // The errors in units of their standard errors, which rest on `freedom` degrees of freedom, made
  // normal: their squares add up to a chi-square.
  template <class Estimate>
  void expect_agreement(double freedom, Estimate&& estimate) {
    double chi_square = 0;
    int rows = 0;
    for (std::size_t i = 0; i < data.rows; ++i) {
      if (data.observed(i) < 2) continue;
      RowObservations row;
      row.gather(families, data, i);
      const RowEstimate e = estimate(row, i);
      ASSERT_GT(e.standard_error, 0);
      ASSERT_LT(e.standard_error, 0.3);
      const double t = std::abs(e.log_likelihood - exact[i]) / e.standard_error;
      const double tail = cdf(complement(boost::math::students_t(freedom), t));
      const double z = quantile(complement(boost::math::normal(), tail));
      chi_square += z * z;
      ++rows;
    }
    EXPECT_GT(rows, 30);
    const boost::math::chi_squared expected(rows);
    EXPECT_GT(cdf(complement(expected, chi_square)), 1e-6) << chi_square;
    EXPECT_GT(cdf(expected, chi_square), 1e-6) << chi_square;  // errors are not exaggerated
  }
};

TEST_P(Estimators, ImportanceAgreesWithExact) {
  constexpr std::size_t kDraws = 4000;
  expect_agreement(kDraws - 1, [&](const RowObservations& row, std::size_t i) {
    return importance(row, alpha, posterior(i), kDraws, core::Rng(1, 2, i));
  });
}

TEST_P(Estimators, LeftToRightAgreesWithExact) {
  expect_agreement(kClouds - 1, [&](const RowObservations& row, std::size_t i) {
    return left_to_right(row, alpha, posterior(i), 1000, core::Rng(1, 3, i));
  });
}

// Particles of little weight are replaced on the way: with longer rows this happens often.
TEST_P(Estimators, LeftToRightAgreesWithExactOnLongRows) {
  Block& words = data.blocks[0];
  if (words.weight.empty()) words.weight.assign(words.cells(), 1.0F);
  for (float& weight : words.weight) weight *= 5;
  exact = model::score_exactly({families, model.membership.get(), model.inference}, data, 1).bound;
  expect_agreement(kClouds - 1, [&](const RowObservations& row, std::size_t i) {
    return left_to_right(row, alpha, posterior(i), 1000, core::Rng(1, 4, i));
  });
}

TEST(EstimatesBelowABound, HaveFewEffectiveDraws) {
  EXPECT_GT(effective_at_most(0), 1e300);
  EXPECT_GT(effective_at_most(-3), 1e300);
  EXPECT_NEAR(effective_at_most(std::log(2.0)), 4, 1e-12);  // half of it is lacking
  EXPECT_NEAR(effective_at_most(50), 1, 1e-12);
}

INSTANTIATE_TEST_SUITE_P(Alphas, Estimators, testing::Values(0.05, 0.5, 3.0));

}  // namespace
}  // namespace medley::evaluation
