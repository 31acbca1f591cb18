// SPDX-License-Identifier: Apache-2.0
// Mean memberships of groups against sums done by hand.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "medley/error.hpp"
#include "medley/uncertainty.hpp"
#include "support/hand_model.hpp"

namespace medley {
namespace {

// One question, two profiles of equal size: "l1" makes a row 0.8 of the first, "l0" 0.2. As a
// probability of belonging to it, both have the variance 0.16.
Dataset answers(const std::vector<int>& codes) {
  std::vector<std::vector<int>> rows;
  for (const int code : codes) rows.push_back({code});
  return test::dataset({test::level_block("bernoulli", rows, {2})});
}

Model two_classes(const Dataset& data) {
  auto parts = test::hand_parts("single", {0.5, 0.5}, data);
  test::set_table(*parts->blocks[0].family, {{0.2, 0.8}, {0.8, 0.2}});
  return Model(parts);
}

KeptColumn kept(const std::string& name, const std::string& codes) {
  KeptColumn column{name, {}, {}};
  std::string levels = codes;
  std::erase(levels, '-');
  std::ranges::sort(levels);
  levels.erase(std::unique(levels.begin(), levels.end()), levels.end());
  for (const char c : levels) column.levels.emplace_back(1, c);
  for (const char c : codes)
    column.code.push_back(c == '-' ? -1 : static_cast<std::int32_t>(levels.find(c)));
  return column;
}

// Strata A (three clusters), B (three), C (one). Row 9 has no group but its cluster is a sampling
// unit all the same; row 10 has no weight and row 11 nothing observed.
Dataset survey() {
  Dataset data = answers({1, 0, 0, 1, 1, 0, 0, 1, 1, 1, -1});
  data.row_weight = {1, 2, 3, 1, 2, 1, 1, 2, 1, 0, 1};
  data.kept = {kept("group", "ghggghgg-gg"), kept("stratum", "AAAABBBCAAA"),
               kept("cluster", "11221231333")};
  return data;
}

GroupMeans means_of(const Dataset& data, const std::string& strata = "",
                    const std::string& cluster = "") {
  return group_means(two_classes(data), data,
                     {.by = "group", .strata = strata, .cluster = cluster, .threads = 1});
}

TEST(GroupMeans, WeightsStrataAndClustersByHand) {
  const GroupMeans found = means_of(survey(), "stratum", "cluster");
  EXPECT_EQ(found.strata, 3U);
  EXPECT_EQ(found.units, 7U);
  EXPECT_EQ(found.lonely_strata, 1U);
  EXPECT_EQ(found.missing_rows, 1U);
  EXPECT_EQ(found.empty_rows, 1U);
  ASSERT_EQ(found.groups.size(), 2U);
  const GroupMean& g = found.groups[0];
  EXPECT_EQ(g.group, "g");
  EXPECT_EQ(g.rows, 6U);
  EXPECT_DOUBLE_EQ(g.weight, 10);
  // mu = (.8 + 3 * .2 + .8 + 2 * .8 + .2 + 2 * .8) / 10
  EXPECT_NEAR(g.mean[0].value, 0.56, 1e-12);
  EXPECT_NEAR(g.mean[1].value, 0.44, 1e-12);
  // Unit totals of w (e - mu) / 10: A .024 -.084 0, B .048 0 -.036, C .048 (lonely; all sum to 0)
  const double design = 1.5 * (0.044 * 0.044 + 0.064 * 0.064 + 0.02 * 0.02) +
                        1.5 * (0.044 * 0.044 + 0.004 * 0.004 + 0.04 * 0.04) + 0.048 * 0.048;
  const double posterior = 0.16 * (1 + 9 + 1 + 4 + 1 + 4) / 100;
  const double error = std::sqrt(design + posterior);
  EXPECT_NEAR(g.mean[0].standard_error, error, 1e-12);
  EXPECT_NEAR(g.posterior_error[0], std::sqrt(posterior), 1e-12);
  // Student's 97.5 % point with 7 - 3 degrees of freedom; the limits p solve
  // (mu - p)^2 = t^2 p (1 - p) / n, n = mu (1 - mu) / error^2.
  const double rows = 0.56 * 0.44 / (error * error);
  for (const double limit : {g.mean[0].low, g.mean[0].high})
    EXPECT_NEAR((0.56 - limit) * (0.56 - limit), 2.7764451 * 2.7764451 * limit * (1 - limit) / rows,
                1e-7);
  EXPECT_LT(g.mean[0].low, 0.56);
  EXPECT_GT(g.mean[0].high, 0.56);
  // The two shares of a row mirror each other.
  EXPECT_NEAR(g.mean[1].low, 1 - g.mean[0].high, 1e-12);
  EXPECT_NEAR(g.mean[1].standard_error, error, 1e-12);
}

// Group g: rows 1, 3, 4, 5, 7 and 8 with weights 1, 3, 1, 2, 1, 2: (0.8 + 0.6 + 0.8 + 1.6 + 0.2 +
// 1.6) / 10. Stratum C: row 8 alone.
TEST(GroupMeans, SeveralColumnsOneAfterAnother) {
  const Dataset data = survey();
  const auto found = group_means(two_classes(data), data, {.threads = 1}, {"stratum", "group"});
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(found[0].by, "stratum");
  EXPECT_NEAR(found[0].groups[2].mean[0].value, 0.8, 1e-9);
  EXPECT_EQ(found[1].by, "group");
  EXPECT_NEAR(found[1].groups[0].mean[0].value, 0.56, 1e-9);
  EXPECT_THROW((void)group_means(two_classes(data), data, {}, {"group", "none"}), InputError);
}

TEST(GroupMeans, DifferenceToTheRestByHand) {
  const GroupMeans found = means_of(survey(), "stratum", "cluster");
  // Group h answers alike (0.2), so only g varies; h adds its posterior variance.
  const double design = 1.5 * (0.044 * 0.044 + 0.064 * 0.064 + 0.02 * 0.02) +
                        1.5 * (0.044 * 0.044 + 0.004 * 0.004 + 0.04 * 0.04) + 0.048 * 0.048;
  const double error = std::sqrt(design + 0.16 * 20 / 100 + 0.16 * 5 / 9);
  const IntervalEstimate& g = found.groups[0].difference[0];
  EXPECT_NEAR(g.value, 0.36, 1e-12);
  EXPECT_NEAR(g.standard_error, error, 1e-12);
  EXPECT_NEAR(g.low, std::max(-1.0, 0.36 - 2.7764451 * error), 1e-6);
  EXPECT_NEAR(found.groups[1].difference[0].value, -0.36, 1e-12);
  EXPECT_TRUE(found.all.difference.empty());
}

TEST(GroupMeans, WithoutDesignItIsTheVarianceOfAMean) {
  Dataset data = answers({1, 1, 0, 1, 0});
  data.kept = {kept("group", "ggggg")};
  const GroupMeans found = means_of(data);
  const double mean = 0.56, spread = (3 * 0.24 * 0.24 + 2 * 0.36 * 0.36) / 4;
  EXPECT_NEAR(found.all.mean[0].value, mean, 1e-12);
  EXPECT_NEAR(found.all.mean[0].standard_error, std::sqrt(spread / 5 + 0.16 / 5), 1e-12);
  EXPECT_TRUE(found.groups[0].difference.empty());  // there is no rest
  const double revealed = (3 * 0.24 * 0.24 + 2 * 0.36 * 0.36) / 5;
  EXPECT_NEAR(found.reliability[0], revealed / (revealed + 0.16), 1e-12);
}

// Rows that are all one profile's or all the other's.
Model two_sharp_classes(const Dataset& data) {
  auto parts = test::hand_parts("single", {0.5, 0.5}, data);
  test::set_table(*parts->blocks[0].family, {{1e-9, 1 - 1e-9}, {1 - 1e-9, 1e-9}});
  return Model(parts);
}

TEST(GroupMeans, RowsThatAreAllAlikeHaveAnIntervalOfTheirNumber) {
  Dataset data = answers(std::vector<int>(50, 1));
  data.kept = {kept("group", std::string(50, 'g'))};
  const auto mean = group_means(two_sharp_classes(data), data, {.by = "group"}).groups[0].mean;
  // Wilson: z^2 / (n + z^2), Student's z with 49 degrees of freedom.
  const double z2 = 2.0095752 * 2.0095752;
  EXPECT_NEAR(mean[0].low, 1 - z2 / (50 + z2), 1e-4);
  EXPECT_NEAR(mean[0].high, 1, 1e-8);
  EXPECT_NEAR(mean[1].high, z2 / (50 + z2), 1e-4);
}

TEST(GroupMeans, DifferencesOfPureGroupsAreNotCertain) {
  std::vector<int> codes(100, 1);
  std::fill(codes.begin() + 50, codes.end(), 0);
  Dataset data = answers(codes);
  data.kept = {kept("group", std::string(50, 'g') + std::string(50, 'h'))};
  const auto found = group_means(two_sharp_classes(data), data, {.by = "group"});
  const IntervalEstimate& difference = found.groups[0].difference[0];
  EXPECT_NEAR(difference.value, 1, 1e-6);
  EXPECT_LT(difference.low, 0.93);
  EXPECT_GT(difference.low, 0.85);
}

// How often the interval holds the true mean: 95 % of the time, near 0 and 1 too.
TEST(GroupMeans, IntervalsHoldTheTruthAtTheEdges) {
  constexpr int kTimes = 400;
  core::Rng rng(17, 1);
  for (const auto& [truth, rows] : std::vector<std::pair<double, std::size_t>>{{0.001, 150},
                                                                               {0.001, 300},
                                                                               {0.005, 300},
                                                                               {0.01, 150},
                                                                               {0.01, 400},
                                                                               {0.5, 100},
                                                                               {0.999, 300},
                                                                               {0.999, 150}}) {
    int held = 0;
    for (int time = 0; time < kTimes; ++time) {
      std::vector<int> codes(rows);
      for (int& code : codes) code = rng.uniform() < truth ? 1 : 0;
      Dataset data = answers(codes);
      data.kept = {kept("group", std::string(rows, 'g'))};
      const auto found = group_means(two_sharp_classes(data), data, {.by = "group", .threads = 1});
      const IntervalEstimate& mean = found.groups[0].mean[0];
      held += mean.low <= truth && truth <= mean.high ? 1 : 0;
    }
    EXPECT_GE(held, 0.91 * kTimes) << truth << " of " << rows << " rows";
    EXPECT_LE(held, 0.995 * kTimes) << truth << " of " << rows << " rows";
  }
}

TEST(GroupMeans, FrequencyWeightsAreCopiesOfRows) {
  Dataset counted = answers({1, 0, 1, 0});
  counted.kept = {kept("group", "gghh"), kept("stratum", "AAAB")};
  counted.row_weight = {3, 2, 1, 2};
  counted.schema.frequency_weights = true;
  Dataset copied = answers({1, 1, 1, 0, 0, 1, 0, 0});
  copied.kept = {kept("group", "ggggghhh"), kept("stratum", "AAAAAABB")};
  for (const char* strata : {"", "stratum"}) {
    const GroupMeans a = means_of(counted, strata), b = means_of(copied, strata);
    EXPECT_EQ(a.units, b.units);
    for (std::size_t g = 0; g < 2; ++g) {
      EXPECT_NEAR(a.groups[g].mean[0].value, b.groups[g].mean[0].value, 1e-12);
      EXPECT_NEAR(a.groups[g].mean[0].standard_error, b.groups[g].mean[0].standard_error, 1e-12);
      EXPECT_NEAR(a.groups[g].mean[0].low, b.groups[g].mean[0].low, 1e-12);
      EXPECT_NEAR(a.groups[g].difference[0].high, b.groups[g].difference[0].high, 1e-12);
    }
    EXPECT_NEAR(a.reliability[0], b.reliability[0], 1e-12);
  }
}

TEST(GroupMeans, SamplingWeightsHaveNoScale) {
  Dataset data = survey();
  const GroupMeans a = means_of(data, "stratum");
  for (double& weight : data.row_weight) weight *= 7;
  const GroupMeans b = means_of(data, "stratum");
  EXPECT_NEAR(a.groups[0].mean[0].standard_error, b.groups[0].mean[0].standard_error, 1e-12);
}

TEST(GroupMeans, GroupsAreCalledWhatTheirCodesMean) {
  Dataset data = answers({1, 0, 1});
  data.kept = {kept("group", "121")};
  data.kept[0].labels = {"North", "South"};
  const GroupMeans found = means_of(data);
  EXPECT_EQ(found.groups[0].group, "North");
  EXPECT_EQ(found.groups[1].group, "South");
}

TEST(GroupMeans, OneUnitHasNoInterval) {
  Dataset data = answers({1, 0});
  data.kept = {kept("group", "gh"), kept("cluster", "11")};
  EXPECT_TRUE(std::isnan(means_of(data, "", "cluster").all.mean[0].standard_error));
  EXPECT_TRUE(std::isnan(means_of(data, "", "cluster").all.mean[0].low));
}

TEST(GroupMeans, WrongColumnsAreRefused) {
  Dataset data = answers({1, 0});
  data.kept = {kept("group", "gh"), kept("stratum", "1-"), kept("empty", "--")};
  const Model model = two_classes(data);
  EXPECT_THROW(static_cast<void>(group_means(model, data, {.by = "nothing"})), InputError);
  EXPECT_THROW(static_cast<void>(group_means(model, data, {.by = "empty"})), InputError);
  EXPECT_THROW(static_cast<void>(group_means(model, data, {.by = "group", .strata = "stratum"})),
               InputError);
  EXPECT_THROW(static_cast<void>(group_means(model, data, {.by = "group", .cluster = "no"})),
               InputError);
  EXPECT_THROW(static_cast<void>(group_means(model, data, {.by = "group", .level = 1})),
               InputError);
}

}  // namespace
}  // namespace medley
