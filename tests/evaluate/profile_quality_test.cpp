// SPDX-License-Identifier: Apache-2.0
// Sizes, entropies and distances worked out by hand.
#include "evaluate/quality.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "support/hand_model.hpp"

namespace medley::evaluation {
namespace {

// Two yes/no questions; the last row answers none, the third one of them.
const Dataset kData =
    test::dataset({test::level_block("bernoulli", {{0, 0}, {1, 1}, {1, -1}, {-1, -1}}, {2, 2})});

// yes[question][component]
Quality of(const std::vector<std::vector<double>>& yes, const std::vector<double>& shares,
           const Dataset& data = kData) {
  const std::size_t components = yes[0].size();
  const auto parts = test::hand_parts("mixed", std::vector<double>(components, 0.5), data);
  std::vector<std::vector<double>> table;
  for (const auto& question : yes) {
    table.emplace_back();
    for (const double p : question) table.back().push_back(1 - p);
    table.push_back(question);
  }
  test::set_table(*parts->blocks[0].family, table);
  Quality out;
  profile_quality(*parts, data, {components, shares}, out);
  return out;
}

double hellinger(double p, double q) {
  return std::sqrt(1 - std::sqrt(p * q) - std::sqrt((1 - p) * (1 - q)));
}

TEST(ProfileQuality, SizesAndEntropiesLeaveOutEmptyRows) {
  const Quality got =
      of({{0.1, 0.5, 0.9}, {0.2, 0.5, 0.8}},
         {0.5, 0.5, 0, /**/ 0.2, 0.2, 0.6, /**/ 1, 0, 0, /**/ 1.0 / 3, 1.0 / 3, 1.0 / 3});
  EXPECT_EQ(got.rows, 3U);
  const double sizes[] = {1.7 / 3, 0.7 / 3, 0.6 / 3};
  double entropy = 0;
  for (std::size_t k = 0; k < 3; ++k) {
    EXPECT_NEAR(got.profile[k].size, sizes[k], 1e-12);
    entropy -= sizes[k] * std::log(sizes[k]);
  }
  EXPECT_NEAR(got.effective_profiles, std::exp(entropy), 1e-12);
  const double rows = std::log(2.0) - (0.4 * std::log(0.2) + 0.6 * std::log(0.6));
  EXPECT_NEAR(got.profiles_per_row, std::exp(rows / 3), 1e-12);
  EXPECT_EQ(got.smallest, 2U);
  EXPECT_NEAR(got.profile[0].top_of_rows, 2.0 / 3, 1e-12);  // a tie goes to the first
  EXPECT_NEAR(got.profile[2].top_of_rows, 1.0 / 3, 1e-12);
}

TEST(ProfileQuality, WeightsCountRows) {
  Dataset data = kData;
  data.row_weight = {3, 1, 0, 5};
  const Quality got = of({{0.1, 0.9}, {0.2, 0.8}}, {1, 0, 0, 1, 0.5, 0.5, 0.5, 0.5}, data);
  EXPECT_NEAR(got.profile[0].size, 0.75, 1e-12);
  EXPECT_NEAR(got.profile[1].top_of_rows, 0.25, 1e-12);
  EXPECT_NEAR(got.profiles_per_row, 1, 1e-12);
}

TEST(ProfileQuality, TheNearestIsByMeanHellingerDistance) {
  const Quality got = of({{0.1, 0.5, 0.9}, {0.2, 0.5, 0.6}}, std::vector<double>(12, 1.0 / 3));
  const double d01 = (hellinger(0.1, 0.5) + hellinger(0.2, 0.5)) / 2;
  const double d12 = (hellinger(0.5, 0.9) + hellinger(0.5, 0.6)) / 2;
  ASSERT_LT(d12, d01);
  EXPECT_EQ(got.profile[0].nearest, 1U);
  EXPECT_NEAR(got.profile[0].distance, d01, 1e-12);
  EXPECT_EQ(got.profile[1].nearest, 2U);
  EXPECT_NEAR(got.profile[1].distance, d12, 1e-12);
}

// A row answers 3/4 of the first question and 1/2 of the second on average.
TEST(ProfileQuality, NearCopiesOverlapOnATypicalRow) {
  const Quality got =
      of({{0.1, 0.999, 0.11}, {0.5, 0.001, 0.55}}, std::vector<double>(12, 1.0 / 3));
  ASSERT_EQ(got.copies.size(), 1U);
  EXPECT_EQ(got.copies[0].a, 0U);
  EXPECT_EQ(got.copies[0].b, 2U);
  const double overlap = std::pow(1 - std::pow(hellinger(0.1, 0.11), 2), 0.75) *
                         std::pow(1 - std::pow(hellinger(0.5, 0.55), 2), 0.5);
  EXPECT_NEAR(got.copies[0].overlap, overlap, 1e-12);
}

TEST(ProfileQuality, OneProfileAndNoRowsAreDefined) {
  const Quality alone = of({{0.1}, {0.2}}, {1, 1, 1, 1});
  EXPECT_EQ(alone.profile[0].nearest, 0U);
  EXPECT_EQ(alone.profile[0].distance, 0);
  EXPECT_EQ(alone.effective_profiles, 1);
  EXPECT_EQ(alone.profiles_per_row, 1);
  const Dataset empty = test::dataset({test::level_block("bernoulli", {{-1, -1}}, {2, 2})});
  const Quality none = of({{0.1, 0.9}, {0.2, 0.8}}, {0.5, 0.5}, empty);
  EXPECT_EQ(none.rows, 0U);
  EXPECT_EQ(none.effective_profiles, 1);
}

}  // namespace
}  // namespace medley::evaluation
