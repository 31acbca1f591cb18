// SPDX-License-Identifier: Apache-2.0
#include "families/simplexes.hpp"

#include <gtest/gtest.h>

#include "data/slot_index.hpp"
#include "families/registry.hpp"
#include "support/toy.hpp"

namespace medley::families {
namespace {

// What a component that has seen nothing says of each slot, shrunk towards the population.
std::vector<double> population(const Block& block) {
  const std::unique_ptr<Family> family = find(block.family)->make(block, 1);
  const data::Columns columns = data::transpose(block);
  family->observe(block, columns, {});
  family->maximise(std::vector<double>(family->statistics_size(), 0.0), Smoothing(0, 20));
  std::vector<double> out;
  for (std::size_t s = 0; s < block.slots(); ++s)
    out.push_back(family->parameters()[s * family->padded()]);
  return out;
}

TEST(Simplexes, AnItemThatFewHaveMetIsMuchLikeTheOthers) {
  // Two items with the levels of one scale: the first met by eight rows, the second by two.
  const Block block = test::level_block(
      "categorical", {{0, 1}, {0, 1}, {0, -1}, {0, -1}, {0, -1}, {0, -1}, {1, -1}, {1, -1}},
      {2, 2});
  const auto p = population(block);
  const double pooled = 6.0 / 10;  // of the first level, over all ten cells
  EXPECT_NEAR(p[0], (6 + 5 * pooled) / (8 + 5), 1e-12);
  EXPECT_NEAR(p[2], (0 + 5 * pooled) / (2 + 5), 1e-12);
  EXPECT_NEAR(p[2] + p[3], 1, 1e-12);
}

TEST(Simplexes, QuestionsWithOtherLevelsSpeakForThemselves) {
  const Block block = test::level_block("categorical", {{0, 2}, {0, 1}, {1, -1}}, {2, 3});
  const auto p = population(block);
  EXPECT_NEAR(p[0], 2.0 / 3, 1e-12);
  EXPECT_NEAR(p[3], 0.5, 1e-12);
}

}  // namespace
}  // namespace medley::families
