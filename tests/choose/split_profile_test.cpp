// SPDX-License-Identifier: Apache-2.0
// A split start: the largest component twice, on either side of where it was.
#include "choose/selection_fits.hpp"

#include <gtest/gtest.h>

#include "medley/simulate.hpp"
#include "model/model.hpp"

namespace medley::choose {
namespace {

TEST(SplitProfile, KeepsAllComponentsButTheLargest) {
  PlantOptions options;
  options.components = 3;
  options.columns = {{"bernoulli", 4, 0}};
  const Model model = plant(options);
  const auto split = split_largest(model, 1);
  ASSERT_TRUE(split);
  const model::ModelBlock &old = model.parts().blocks[0], &now = split->parts().blocks[0];
  const std::vector<double>& sizes = model.sizes();
  const auto largest =
      static_cast<std::size_t>(std::max_element(sizes.begin(), sizes.end()) - sizes.begin());
  ASSERT_EQ(split->components(), 4U);
  for (std::size_t slot = 0; slot < old.shape.slots(); ++slot) {
    for (std::size_t k = 0; k < 3; ++k) {
      if (k == largest) continue;
      EXPECT_NEAR(now.probability(slot, k), old.probability(slot, k), 1e-12);
    }
    // one goes up where the other goes down
    const double was = old.probability(slot, largest);
    EXPECT_LT((now.probability(slot, largest) - was) * (now.probability(slot, 3) - was), 0);
  }
  double before = 0, after = 0;
  for (const double alpha : model.prior()) before += alpha;
  for (const double alpha : split->prior()) after += alpha;
  EXPECT_NEAR(before, after, 1e-12);
  EXPECT_EQ(split->prior()[largest], split->prior()[3]);
}

}  // namespace
}  // namespace medley::choose
