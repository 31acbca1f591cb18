// SPDX-License-Identifier: Apache-2.0
// Bootstrap samples: what must hold in each, and the variance of a total over many of them against
// the formula for the design.
#include "evaluate/survey_design.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace medley::evaluation {
namespace {

// Rows of units of strata, written down: unit c is in stratum of[c].
SurveyDesign design_of(const std::vector<std::uint32_t>& unit, const std::vector<std::uint32_t>& of,
                       bool given) {
  SurveyDesign design;
  design.unit = unit;
  design.stratum = of;
  design.copies.assign(of.size(), 1.0);
  design.given = given;
  for (const std::uint32_t stratum : of) {
    design.units_in.resize(std::max<std::size_t>(design.units_in.size(), stratum + 1), 0.0);
    design.units_in[stratum] += 1;
  }
  return design;
}

// Mean and variance of sum_i factor_i u_i over many samples.
struct Spread {
  double mean = 0, variance = 0;
};
Spread spread(const SurveyDesign& design, const std::vector<double>& u) {
  constexpr std::size_t kSamples = 20'000;
  Spread out;
  for (std::size_t r = 0; r < kSamples; ++r) {
    const std::vector<double> factor = resampled(design, 5, r);
    const double total = std::inner_product(u.begin(), u.end(), factor.begin(), 0.0);
    out.mean += total / kSamples;
    out.variance += total * total / kSamples;
  }
  out.variance -= out.mean * out.mean;
  return out;
}

TEST(Resample, PlainSamplesHaveAsManyRowsAsTheData) {
  const SurveyDesign design = design_of({0, 1, 2, 3, SurveyDesign::kLeftOut}, {0, 0, 0, 0}, false);
  for (std::size_t r = 0; r < 20; ++r) {
    const std::vector<double> factor = resampled(design, 1, r);
    EXPECT_EQ(std::accumulate(factor.begin(), factor.end(), 0.0), 4);
    EXPECT_EQ(factor[4], 0);  // a row without weight is never drawn
  }
  EXPECT_NE(resampled(design, 1, 0), resampled(design, 1, 3));
  EXPECT_NE(resampled(design, 1, 1), resampled(design, 2, 1));
  EXPECT_EQ(resampled(design, 1, 1), resampled(design, 1, 1));
}

TEST(Resample, PlainVarianceIsThatOfDrawsWithReplacement) {
  const std::vector<double> u = {1, 4, 2, 7, 3};
  double squares = 0;  // n times the variance of one draw
  for (const double x : u) squares += (x - 3.4) * (x - 3.4);
  const Spread found = spread(design_of({0, 1, 2, 3, 4}, {0, 0, 0, 0, 0}, false), u);
  EXPECT_NEAR(found.mean, 17, 0.2);
  EXPECT_NEAR(found.variance, squares, 0.05 * squares);
}

// Two units in a stratum: one of them, twice.
TEST(Resample, WholeUnitsWithinStrata) {
  const SurveyDesign design = design_of({0, 0, 1, 2, 3, 3}, {0, 0, 1, 1}, true);
  for (std::size_t r = 0; r < 20; ++r) {
    const std::vector<double> factor = resampled(design, 1, r);
    EXPECT_EQ(factor[0], factor[1]);
    EXPECT_EQ(factor[4], factor[5]);
    EXPECT_EQ(factor[0] + factor[2], 2);
    EXPECT_TRUE(factor[0] == 0 || factor[0] == 2);
    EXPECT_EQ(factor[3] + factor[4], 2);
  }
}

TEST(Resample, VarianceUnderADesignIsUnbiased) {
  const SurveyDesign design =
      design_of({0, 0, 1, 2, 3, 4, 5}, {0, 0, 0, 1, 1, 2}, true);  // the last stratum is lonely
  const std::vector<double> u = {1, 2, 5, 4, 1, 3, 9};
  // Totals 3 5 4 | 1 3 | 9: 3/2 (1 + 1 + 0) + 2 (1 + 1) + nothing
  const Spread found = spread(design, u);
  EXPECT_NEAR(found.mean, 25, 0.1);
  EXPECT_NEAR(found.variance, 7, 0.05 * 7);
  for (std::size_t r = 0; r < 20; ++r) EXPECT_EQ(resampled(design, 1, r)[6], 1);
}

// A row that was observed three times is drawn like three rows.
TEST(Resample, CopiesAreDrawnOneByOne) {
  SurveyDesign design = design_of({0, 1}, {0, 0}, false);
  design.copies = {3, 1};
  design.units_in = {4};
  // 4 draws, each of the first with probability 3/4: its count has variance 4 * 3/16.
  const Spread found = spread(design, {3, 0});
  EXPECT_NEAR(found.mean, 3, 0.05);
  EXPECT_NEAR(found.variance, 0.75, 0.05 * 0.75);
}

}  // namespace
}  // namespace medley::evaluation
