// SPDX-License-Identifier: Apache-2.0
// Group means and bootstrap intervals in words.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "medley/uncertainty.hpp"
#include "support/hand_model.hpp"

namespace medley {
namespace {

using testing::HasSubstr;
using testing::Not;
using Quantity = BootstrapEstimate::Quantity;

// Two profiles that answer one question differently.
Model two_profiles(const std::string& membership = "mixed") {
  const Dataset data = test::dataset({test::level_block("bernoulli", {{0}, {1}}, {2})});
  auto parts = test::hand_parts(membership, {0.5, 0.5}, data);
  parts->blocks[0].total = {50, 50};
  parts->names = {"Calm\x1b", ""};
  test::set_table(*parts->blocks[0].family, {{0.9, 0.1}, {0.1, 0.9}});
  return Model(parts);
}

GroupMean group(const std::string& name, double mean, bool with_rest) {
  GroupMean out{name, 1234, 1234, {{mean, 0.02, mean - 0.04, mean + 0.04}}, {0.01}, {}};
  out.mean.push_back({1 - mean, 0.02, 0.96 - mean, 1.04 - mean});
  if (with_rest) out.difference = {{0.1, 0.03, 0.04, 0.16}, {-0.1, 0.03, -0.16, -0.04}};
  return out;
}

GroupMeans means() {
  GroupMeans out;
  out.by = "region";
  out.level = 0.9;
  out.groups = {group("north", 0.6, true)};
  out.all = group("", 0.55, false);
  out.reliability = {0.8, 0.7};
  out.strata = 1;
  out.units = 1234;
  return out;
}

TEST(DescribeGroups, MeansIntervalsAndDifferences) {
  const std::string text = describe(means(), two_profiles());
  EXPECT_THAT(text, HasSubstr("by \"region\""));
  EXPECT_THAT(text, HasSubstr("90 % interval"));
  EXPECT_THAT(text, HasSubstr("Calm\xEF\xBF\xBD\n"));
  EXPECT_THAT(text, HasSubstr("60.0 %  [56.0, 64.0]"));
  EXPECT_THAT(text, HasSubstr("+10.0  [+4.0, +16.0]"));
  EXPECT_THAT(text, HasSubstr("70 % to 80 %"));
  EXPECT_THAT(text, HasSubstr("Calm\xEF\xBF\xBD\n  Differences are shown at about 80 % of their"));
  GroupMeans sure = means();
  sure.reliability = {0.99, 0.7};
  EXPECT_THAT(describe(sure, two_profiles()), Not(HasSubstr("about 99 %")));
  EXPECT_THAT(text, Not(HasSubstr("Left out")));
  EXPECT_THAT(text, Not(HasSubstr("Design")));
}

TEST(DescribeGroups, SaysWhatWasLeftOutAndWhatCannotBeKnown) {
  GroupMeans some = means();
  some.missing_rows = 3;
  some.empty_rows = 1;
  some.strata = 4;
  some.units = 20;
  some.lonely_strata = 2;
  some.groups[0].mean[0].low = some.groups[0].mean[0].high = std::nan("");
  const std::string text = describe(some, two_profiles());
  EXPECT_THAT(text, HasSubstr("3 rows without a value"));
  EXPECT_THAT(text, HasSubstr("1 row with nothing observed"));
  EXPECT_THAT(text, HasSubstr("20 sampling units in 4 strata"));
  EXPECT_THAT(text, HasSubstr("2 strata have a single sampling unit"));
  EXPECT_THAT(text, HasSubstr("no interval"));
}

Bootstrap replicates() {
  Bootstrap out;
  out.level = 0.95;
  out.replicates = 200;
  for (std::size_t k = 0; k < 2; ++k) {
    const double no = k == 0 ? 0.9 : 0.1;
    out.estimates.push_back({k, Quantity::size, "", "", "", {0.5, 0.01, 0.48, 0.52}});
    out.estimates.push_back({k, Quantity::prior, "", "", "", {0.5, 0.1, 0.31, 0.73}});
    out.estimates.push_back(
        {k, Quantity::probability, "bernoulli", "q0", "l0", {no, 0.01, no - 0.03, no + 0.02}});
    out.estimates.push_back(
        {k, Quantity::probability, "bernoulli", "q0", "l1", {1 - no, 0.01, 0.98 - no, 1.03 - no}});
  }
  return out;
}

TEST(DescribeBootstrap, ProfilesWithTheirIntervals) {
  const std::string text = describe(replicates(), two_profiles("single"));
  EXPECT_THAT(text, HasSubstr("200 refits"));
  EXPECT_THAT(text, HasSubstr("50.0 %  [48.0, 52.0] of memberships, pi 0.5  [0.31, 0.73]"));
  EXPECT_THAT(text, HasSubstr("90.0 %  [87.0, 92.0]"));  // l0 marks the first profile
  EXPECT_THAT(text, HasSubstr("90.0 %  [88.0, 93.0]"));  // l1 the second
  EXPECT_THAT(text, Not(HasSubstr("refits did not")));
  EXPECT_THAT(text, Not(HasSubstr("biased")));
}

TEST(DescribeBootstrap, SaysWhatToBewareOf) {
  Bootstrap some = replicates();
  some.not_converged = 3;
  some.ambiguous = 17;
  some.drift = 1.5;
  some.rows = 10;
  some.model_rows = 20;
  const std::string text = describe(some, two_profiles());
  EXPECT_THAT(text, HasSubstr("3 of 200 refits did not converge"));
  EXPECT_THAT(text, HasSubstr("In 17 of 200 refits"));
  EXPECT_THAT(text, HasSubstr("1.5 standard errors"));
  EXPECT_THAT(text, HasSubstr("fitted to 20 rows"));
  EXPECT_THAT(text, HasSubstr("`inference=\"exact\"`"));
}

}  // namespace
}  // namespace medley
