// SPDX-License-Identifier: Apache-2.0
#include "samplers/gom_model.hpp"

#include <gtest/gtest.h>

#include "medley/error.hpp"
#include "support/toy.hpp"

namespace medley::samplers {
namespace {

TEST(GomModel, WhatCannotBeSampledIsRefusedAllAtOnce) {
  Dataset data = test::dataset({test::random_block(families::gamma_family, 5, 1, 0.0),
                                test::random_block(families::tokens_family, 5, 1, 0.0)});
  data.row_weight = {1, 2, 0.5, 1, 1};
  data.blocks[1].weight[0] = 0.5F;
  GomOptions options;
  options.components = 0;
  options.alpha_prior = {-1, 0};
  options.priors = {{}, {}, {}};
  options.alpha = {0.0};
  try {
    const GomModel model(data, options);
    FAIL();
  } catch (const InputError& error) {
    EXPECT_EQ(error.total(), 9U);
  }
}

TEST(GomModel, WeightsThatAddUpToTooMuchAreRefused) {
  Dataset data = test::dataset({test::random_block(families::bernoulli_family, 5, 1, 0.0)});
  data.row_weight = {1, 1, 1, 1, 1e12};
  EXPECT_THROW(GomModel(data, {}), InputError);
  data.row_weight = {0, 0, 0, 0, 0};
  EXPECT_THROW(GomModel(data, {}), InputError);
}

// Rows with what counts 2, 0 and 1 times; words 3, 0 and 1 times. The last row has nothing.
TEST(GomModel, PeopleAndObservationsAreWhatWasCounted) {
  Dataset data =
      test::dataset({test::level_block(families::bernoulli_family.name,
                                       {{1, -1}, {0, 0}, {-1, 0}, {-1, -1}}, {2, 2}),
                     test::token_block("words", {{0, 3, 1}, {1, 0, 0}, {0, 1, 0}, {0, 0, 0}})});
  data.row_weight = {2, 0, 1, 1};
  const GomModel model(data, {});
  ASSERT_EQ(model.people(), 4U);
  const std::size_t rows[] = {0, 0, 2, 3};
  for (std::size_t i = 0; i < 4; ++i) EXPECT_EQ(model.row_of(i), rows[i]);
  const std::uint64_t starts[] = {0, 5, 10, 12, 12}, cells[] = {0, 3, 6, 8, 8};
  for (std::size_t i = 0; i <= 4; ++i) {
    EXPECT_EQ(model.start()[i], starts[i]);
    EXPECT_EQ(model.cell_start()[i], cells[i]);
  }
  EXPECT_EQ(model.depth(), 5U);
  EXPECT_EQ(model.cell_weight()[1], 3.0F);
  // Person 0's observations: an answer, the second word three times, the third once.
  const auto code = model.code();
  EXPECT_EQ(code[1], code[2]);
  EXPECT_EQ(code[2], code[3]);
  EXPECT_NE(code[3], code[4]);
  EXPECT_EQ(code[1], code[11]);  // the same word of row 2
  EXPECT_EQ(model.distinct_count()[code[1]], 7.0);
  EXPECT_EQ(model.distinct().data.blocks[0].slot[code[0]], 1U);
}

// Families that saw the data know what their columns are like on average.
TEST(GomModel, FamiliesHaveSeenTheData) {
  const Dataset data =
      test::dataset({test::real_block(families::gaussian_family.name, {{1}, {3}, {8}}, 1)});
  const GomModel model(data, {});
  const auto families = model.make_families();
  const std::size_t width = families[0]->padded();
  EXPECT_NEAR(families[0]->parameters()[2 * width], 4.0, 1e-12);
  EXPECT_EQ(families[0]->components(), 2U);
}

}  // namespace
}  // namespace medley::samplers
