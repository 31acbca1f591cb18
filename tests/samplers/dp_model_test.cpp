// SPDX-License-Identifier: Apache-2.0
#include "samplers/dp_model.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "medley/error.hpp"
#include "samplers/dp_chain.hpp"
#include "samplers/visits.hpp"

namespace medley::samplers {
namespace {

// Four rows of a yes/no answer, a number (one missing), a count and two words, by an independent
// program.
struct Vector {
  Vector()
      : data(test::dataset(
            {test::level_block(families::bernoulli_family.name, {{0}, {1}, {0}, {1}}, {2}),
             test::real_block(families::gaussian_family.name, {{0.1}, {3.2}, {std::nan("")}, {2.8}},
                              1),
             test::real_block(families::poisson_family.name, {{1}, {6}, {0}, {7}}, 1),
             test::token_block("words", {{2, 0}, {0, 3}, {1, 0}, {0, 1}})})) {
    options.priors = {{1, 1}, {0, 0.1, 2, 1}, {1, 0.5}, {2}};
    options.concentration = 1;
    options.search_rounds = 0;
  }
  Dataset data;
  DpOptions options;
};

TEST(DpModel, AgreesWithAnIndependentProgram) {
  const Vector vector;
  const DpModel model(vector.data, vector.options);
  EXPECT_NEAR(model.log_joint({0, 1, 0, 1}, 1), -22.62440631, 1e-8);
  std::vector<double> joint;
  double of_k[4] = {0, 0, 0, 0};
  for (const Labels& labels : test::all_partitions(4)) {
    joint.push_back(model.log_joint(labels, 1));
    of_k[*std::max_element(labels.begin(), labels.end())] += std::exp(joint.back());
  }
  const double evidence = math::log_sum_exp(joint);
  EXPECT_NEAR(evidence, -22.21587923, 1e-8);
  const double expected[4] = {7.2167064e-05, .66805028, .32439441, .0074831386};
  for (int k = 0; k < 4; ++k) EXPECT_NEAR(of_k[k] / std::exp(evidence), expected[k], 1e-8);
}

// And the chain finds it.
TEST(DpModel, TheChainFindsItsPosteriorOfK) {
  const Vector vector;
  const DpModel model(vector.data, vector.options);
  DpChain chain(model, 0);
  std::vector<double> count(4, 0.0);
  for (int i = 0; i < 3000; ++i) {
    for (int j = 0; j < 3; ++j) chain.sweep();
    ++count[chain.clusters() - 1];
  }
  EXPECT_GT(test::chi_square_p(count, {7.2167064e-05, .66805028, .32439441, .0074831386}),
            kImpossible);
}

TEST(DpModel, TheJointIsTheClosedForm) {
  const Small problem = mixed_blocks(6);
  const DpModel model(problem.data, problem.options());
  for (const Labels& labels : test::all_partitions(6))
    EXPECT_NEAR(model.log_joint(labels, problem.concentration),
                exact_log_joint(problem.data, problem.priors, problem.concentration, labels),
                1e-10);
}

TEST(DpModel, WhatCannotBeSampledIsRefusedAllAtOnce) {
  Dataset data = test::dataset({test::random_block(families::gamma_family, 5, 1, 0.0),
                                test::random_block(families::tokens_family, 5, 1, 0.0)});
  data.row_weight = {1, 2.5, 1, 1, 1};
  data.blocks[1].weight[0] = 0.5F;
  DpOptions options;
  options.concentration = 0;
  options.concentration_prior = GammaPrior{-1, 1};
  options.priors = {{}, {}, {}};
  try {
    const DpModel model(data, options);
    FAIL();
  } catch (const InputError& error) {
    EXPECT_EQ(error.total(), 6U);
  }
}

}  // namespace
}  // namespace medley::samplers
