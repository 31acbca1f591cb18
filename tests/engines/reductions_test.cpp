// SPDX-License-Identifier: Apache-2.0
// Special cases with known answers.
#include <gtest/gtest.h>

#include <cmath>

#include "engines/starts.hpp"
#include "support/em.hpp"
#include "support/toy.hpp"

namespace medley::engines {
namespace {

TEST(Reductions, OneComponentIsTheIndependenceModel) {
  const Dataset data =
      test::dataset({test::random_block(families::categorical_family, 80, 1, 0.2)});
  const Block& block = data.blocks[0];
  double expected = 0;
  std::vector<double> count(block.slots(), 0.0);
  for (const auto slot : block.slot) ++count[slot];
  for (std::size_t f = 0; f + 1 < block.first_slot.size(); ++f) {
    double total = 0;
    for (std::size_t s = block.first_slot[f]; s < block.first_slot[f + 1]; ++s) total += count[s];
    for (std::size_t s = block.first_slot[f]; s < block.first_slot[f + 1]; ++s) {
      if (count[s] > 0) expected += count[s] * std::log(count[s] / total);
    }
  }
  const EmData prepared = prepare(data, 1);
  for (const auto* entry : memberships::registry()) {
    if (entry->counts) continue;  // its bound is of the number of observations too
    for (const model::Inference* mode : model::offered(*entry)) {
      VariationalEm em(prepared, make_model(prepare(data, 1), *entry, *mode, 1));
      em.start_from(random_rows(data, 1, {1, 0}));
      double bound = 0;
      for (int i = 0; i < 3; ++i) bound = em.iterate({1e-9, 50});
      EXPECT_NEAR(bound, expected, 1e-6 * std::abs(expected)) << entry->name << " " << mode->name;
      EXPECT_EQ(em.model().membership->parameters()[0], 1.0);
    }
  }
}

TEST(Reductions, WeightTwoEqualsTheRowTwice) {
  Dataset weighted = test::dataset({test::random_block(families::categorical_family, 30, 2, 0.1),
                                    test::random_block(families::tokens_family, 30, 3, 0.1)});
  Dataset twice = weighted;
  for (Block& block : twice.blocks) {
    const std::size_t cells = block.cells();
    for (std::size_t row = 0; row < 30; ++row)
      block.row_start.push_back(cells + block.row_start[row + 1]);
    block.slot.insert(block.slot.end(), block.slot.begin(),
                      block.slot.begin() + static_cast<std::ptrdiff_t>(cells));
    if (!block.weight.empty())
      block.weight.insert(block.weight.end(), block.weight.begin(),
                          block.weight.begin() + static_cast<std::ptrdiff_t>(cells));
  }
  twice.rows = 60;
  weighted.row_weight.assign(30, 2.0);
  const EmData a = prepare(weighted, 1), b = prepare(twice, 1);
  for (const auto* entry : memberships::registry()) {
    for (const model::Inference* mode : model::offered(*entry)) {
      auto memberships = random_rows(weighted, 3, {1, 0});
      EmModel model_a = make_model(prepare(weighted, 1), *entry, *mode, 3),
              model_b = make_model(prepare(twice, 1), *entry, *mode, 3);
      model_a.smoothing = model_b.smoothing = 0.01;
      VariationalEm em_a(a, std::move(model_a)), em_b(b, std::move(model_b));
      em_a.start_from(memberships);
      const auto copy = memberships;
      memberships.insert(memberships.end(), copy.begin(), copy.end());
      em_b.start_from(memberships);
      for (int i = 0; i < 10; ++i) {
        const double first = em_a.iterate({1e-6, 20}), second = em_b.iterate({1e-6, 20});
        // To the rounding of sweeps in float: other rows stand beside a row (decision 0022).
        ASSERT_NEAR(first, second, 1e-7 * std::abs(first))
            << entry->name << " " << mode->name << " iteration " << i;
      }
    }
  }
}

TEST(Reductions, CellWeightTwoEqualsTheTokenTwice) {
  const Dataset counted = test::dataset({test::token_block("words", {{2, 1, 0}, {0, 3, 1}})});
  Dataset spelled = counted;
  Block& block = spelled.blocks[0];
  block.slot = {0, 0, 1, 1, 1, 1, 2};
  block.weight.assign(7, 1.0F);
  block.row_start = {0, 3, 7};
  for (const model::Inference* mode : model::offered(memberships::mixed_membership)) {
    EmModel a = make_model(prepare(counted, 1), memberships::mixed_membership, *mode, 2);
    EmModel b = make_model(prepare(spelled, 1), memberships::mixed_membership, *mode, 2);
    test::randomise(a, counted, 5);
    test::randomise(b, spelled, 5);
    const auto first = test::score(a, counted), second = test::score(b, spelled);
    for (std::size_t row = 0; row < 2; ++row)
      EXPECT_NEAR(first.bound[row], second.bound[row], 1e-9);
  }
}

}  // namespace
}  // namespace medley::engines
