// SPDX-License-Identifier: Apache-2.0
// Intervals over draws against the values of the draws, sorted by hand.
#include "report/intervals.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "medley/fit.hpp"
#include "medley/report.hpp"
#include "model/model.hpp"
#include "support/as_draws.hpp"
#include "support/files.hpp"

namespace medley::report {
namespace {

Model fitted(const Dataset& data, std::size_t components, std::uint64_t seed) {
  FitOptions options;
  options.components = components;
  options.model = "mmnb";
  options.init = "random";
  options.threads = 1;
  options.seed = seed;
  options.max_iterations = 5;
  return fit(data, options);
}

TEST(Intervals, OfTwoDrawsLieBetweenThem) {
  const Dataset data = test::survey(50);
  const std::vector<Model> each = {fitted(data, 2, 1), fitted(data, 2, 2)};
  const Intervals intervals(test::as_draws(each, {{}, {0, 1, 1, 0}}));
  for (std::size_t slot = 0; slot < 4; ++slot) {
    // The second draw's components are the other way round.
    const double a = each[0].parts().blocks[0].probability(slot, 0);
    const double b = each[1].parts().blocks[0].probability(slot, 1);
    const auto found = intervals.of_slot(0, slot, 0);
    ASSERT_TRUE(found);
    EXPECT_NEAR(found->low, std::min(a, b) + 0.05 * std::abs(a - b), 1e-12);
    EXPECT_NEAR(found->high, std::max(a, b) - 0.05 * std::abs(a - b), 1e-12);
  }
}

TEST(Intervals, ADrawOfMoreComponentsCountsByTheirSizes) {
  const Dataset data = test::survey(50);
  const std::vector<Model> each = {fitted(data, 1, 1), fitted(data, 2, 2)};
  const Intervals intervals(test::as_draws({each[0], each[1]}, {{}, {1, 1}}));
  const auto alpha = each[1].prior();
  const auto& block = each[1].parts().blocks[0];
  const double both = (alpha[0] * block.probability(1, 0) + alpha[1] * block.probability(1, 1)) /
                      (alpha[0] + alpha[1]);
  const double alone = each[0].parts().blocks[0].probability(1, 0);
  const auto found = intervals.of_slot(0, 1, 0);
  ASSERT_TRUE(found);
  EXPECT_NEAR(found->low + found->high, alone + both, 1e-12);
}

TEST(Intervals, AreShownAndWritten) {
  const Dataset data = test::survey(50);
  const Model plain = fitted(data, 2, 1);
  EXPECT_FALSE(Intervals(plain).of_slot(0, 0, 0));
  const Model sampled = test::as_draws({plain, fitted(data, 2, 2)}, {{}, {}});
  EXPECT_THAT(inspect(sampled, {}), ::testing::HasSubstr(" to "));
  EXPECT_THAT(inspect(sampled, {}), ::testing::HasSubstr("Posterior means of 2 draws"));
  InspectOptions csv;
  csv.format = TextFormat::csv;
  EXPECT_THAT(inspect(sampled, csv), ::testing::HasSubstr("population_sd,low,high\n"));
  EXPECT_THAT(inspect(plain, csv), ::testing::HasSubstr("population_sd\n"));
}

}  // namespace
}  // namespace medley::report
