// SPDX-License-Identifier: Apache-2.0
// The parts of absolute fit and of quality put together.
#include <gtest/gtest.h>

#include "medley/error.hpp"
#include "medley/evaluate.hpp"
#include "medley/simulate.hpp"
#include "model/model.hpp"

namespace medley {
namespace {

Model mixed_bag() {
  PlantOptions options;
  options.model = "mmnb";
  options.components = 2;
  options.columns = {{"bernoulli", 3, 0}, {"gaussian", 2, 0}, {"tokens", 1, 15}};
  return plant(options);
}

Dataset drawn(const Model& model) {
  return simulate(model, {.rows = 200, .missing = 0, .tokens = 20, .seed = 2}).data;
}

TEST(AbsoluteFit, LooksAtEveryKindOfColumn) {
  const Model model = mixed_bag();
  AbsoluteFitOptions options;
  options.replicates = 20;
  options.top = 5;
  const AbsoluteFit fit = absolute_fit(model, drawn(model), options);
  EXPECT_EQ(fit.patterns.features.size(), 3U);
  EXPECT_EQ(fit.patterns.rows, 200);
  EXPECT_EQ(fit.pairs.level_pairs, 3U);
  EXPECT_EQ(fit.pairs.number_pairs, 1U + 2 * 3);
  EXPECT_EQ(fit.pairs.numbers.size(), 5U);
  EXPECT_EQ(fit.checks.replicates, 20U);
  EXPECT_GE(fit.checks.check.size(), 4U + 2 * 5);
  EXPECT_TRUE(fit.notes.empty());
}

TEST(AbsoluteFit, NotUnderBlockWeights) {
  auto parts = mixed_bag().parts().clone();
  parts->schema.block_weight[parts->blocks[0].shape.name] = 2;
  const Model model(parts);
  try {
    (void)absolute_fit(model, drawn(model), {});
    FAIL() << "not refused";
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("tempered"), std::string::npos) << error.what();
  }
}

TEST(AbsoluteFit, CountsThatAreNotWholeAreNoted) {
  const Model model = mixed_bag();
  Dataset data = drawn(model);
  for (Block& block : data.blocks) {
    if (block.encoding == Encoding::tokens) block.weight[0] = 1.5F;
  }
  const AbsoluteFit fit = absolute_fit(model, data, {});
  ASSERT_EQ(fit.notes.size(), 1U);
  EXPECT_NE(fit.notes[0].find("not whole"), std::string::npos);
}

TEST(Quality, HasATableForEveryBlockOfWords) {
  PlantOptions options;
  options.model = "mmnb";
  options.components = 2;
  options.columns = {{"bernoulli", 3, 0}, {"tokens", 1, 15}, {"tokens", 1, 8}};
  const Model model = plant(options);
  const Quality got = quality(model, drawn(model), {.top = 6, .threads = 1});
  ASSERT_EQ(got.topics.size(), 2U);
  EXPECT_NE(got.topics[0].block, got.topics[1].block);
  EXPECT_EQ(got.topics[0].topic.size(), 2U);
  EXPECT_EQ(got.topics[1].topic[1].words.size(), 6U);
  EXPECT_EQ(got.topics[0].documents, 200);
  EXPECT_EQ(got.rows, 200U);
  EXPECT_NEAR(got.profile[0].size + got.profile[1].size, 1, 1e-12);
}

}  // namespace
}  // namespace medley
