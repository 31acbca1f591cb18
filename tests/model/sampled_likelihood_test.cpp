// SPDX-License-Identifier: Apache-2.0
#include "model/row_chain.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "support/em.hpp"
#include "support/exact.hpp"
#include "support/toy.hpp"

namespace medley::model {
namespace {

TEST(SampledLikelihood, IsWithinItsErrorOfTheExactOne) {
  Dataset data = test::dataset({test::random_block(families::categorical_family, 40, 3, 0.2),
                                test::random_block(families::tokens_family, 40, 4, 0.3)});
  for (std::size_t row = 0; row < data.rows; ++row)
    data.row_weight.push_back(1.0 + static_cast<double>(row % 2));
  const auto& mixed = memberships::mixed_membership;
  auto model =
      engines::make_model(engines::prepare(data, 1), mixed, model::usual_inference(mixed), 3);
  test::randomise(model, data, 4);
  const std::vector<double> alpha = {0.2, 0.5, 0.1};
  model.membership->set_parameters(alpha);
  for (auto& family : model.families) family->prepare(false);
  const auto families = model.family_pointers();
  const EStepModel estep{families, model.membership.get(), model.inference};
  double want = 0;
  for (std::size_t row = 0; row < data.rows; ++row) {
    want += data.weight_of(row) * test::exact_log_likelihood(test::plain_rows(model, data, row),
                                                             test::plain_weights(data, row), alpha);
  }
  const SampledLikelihood got = sampled_likelihood(estep, data, 2000, 1, 1);
  EXPECT_GT(got.standard_error, 0);
  EXPECT_LT(got.standard_error, 1);
  EXPECT_NEAR(got.log_likelihood, want, 4 * got.standard_error);
  EXPECT_EQ(got.log_likelihood, sampled_likelihood(estep, data, 2000, 1, 3).log_likelihood);
  // More draws, less error.
  EXPECT_LT(got.standard_error, sampled_likelihood(estep, data, 100, 1, 1).standard_error);
}

}  // namespace
}  // namespace medley::model
