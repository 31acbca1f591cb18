// SPDX-License-Identifier: Apache-2.0
// Which family a column gets that nobody has declared: a dozen columns as surveys have them, with
// the choice a person would make.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "core/rng.hpp"
#include "families/registry.hpp"

namespace medley::families {
namespace {

data::ColumnFacts number_column(std::size_t rows, std::size_t distinct, bool integer,
                                double minimum, double maximum, double mean, double variance,
                                double skewness = 0, double log_skewness = 0) {
  data::ColumnFacts facts;
  facts.rows = rows;
  facts.distinct = distinct;
  facts.numeric = true;
  facts.integer = integer;
  facts.minimum = minimum;
  facts.maximum = maximum;
  facts.mean = mean;
  facts.variance = variance;
  facts.skewness = skewness;
  facts.log_skewness = log_skewness;
  return facts;
}

struct Choice {
  std::string family, why;
};

Choice choice(const data::ColumnFacts& facts) {
  Choice best{"none", ""};
  double best_score = 0;
  for (const FamilyEntry* entry : registry()) {
    std::string why;
    const double score = entry->suits(facts, why);
    EXPECT_TRUE(score >= 0 && score <= 1) << entry->name;
    EXPECT_EQ(score > 0, !why.empty()) << entry->name;
    if (score > best_score) best = {entry->name, why};
    best_score = std::max(best_score, score);
  }
  return best;
}

TEST(Suits, YesAndNo) {
  EXPECT_EQ(choice(number_column(500, 2, true, 0, 1, 0.3, 0.21)).family, "bernoulli");
}

TEST(Suits, ShortScalesAndCodesAreLevels) {
  const Choice scale = choice(number_column(500, 5, true, 1, 5, 3.2, 1.4));
  EXPECT_EQ(scale.family, "categorical");
  EXPECT_EQ(scale.why, "5 levels");
  EXPECT_EQ(choice(number_column(500, 7, true, 1, 99, 9, 400)).family, "categorical");
  EXPECT_EQ(choice(number_column(32561, 16, true, 1, 16, 10.1, 6.6)).family, "categorical");
}

TEST(Suits, Age) {
  const Choice age = choice(number_column(32561, 73, true, 17, 90, 38.6, 186, 0.56, -0.1));
  EXPECT_EQ(age.family, "gaussian");
  EXPECT_EQ(age.why, "numbers, 17 to 90");
}

TEST(Suits, YearOfBirth) {
  EXPECT_EQ(choice(number_column(900, 70, true, 1925, 2004, 1968, 300)).family, "gaussian");
}

TEST(Suits, CountsOfFewThings) {
  const Choice visits = choice(number_column(3000, 24, true, 0, 23, 4.4, 9.1, 1.2));
  EXPECT_EQ(visits.family, "poisson");
  EXPECT_EQ(visits.why, "counts, 0 to 23");
  // Of those who bought at all.
  EXPECT_EQ(choice(number_column(3000, 14, true, 1, 22, 4.0, 3.9)).family, "poisson");
  // Children: few enough to be codes, but with the tail of a count.
  EXPECT_EQ(choice(number_column(1473, 15, true, 0, 16, 3.26, 5.56, 1.1)).family, "poisson");
  // Few different counts are as good as levels: no distribution has to be assumed.
  EXPECT_EQ(choice(number_column(2000, 8, true, 0, 7, 1.6, 1.9)).family, "categorical");
}

TEST(Suits, LargeAndUnevenCountsAreNotPoisson) {
  EXPECT_EQ(choice(number_column(500, 90, true, 0, 180, 60, 900)).family, "gaussian");
  EXPECT_EQ(choice(number_column(500, 90, true, 40, 180, 28, 30)).family, "gaussian");
  EXPECT_EQ(choice(number_column(500, 90, true, 0, 40, 20, 2)).family, "gaussian");
}

TEST(Suits, Income) {
  const Choice income = choice(number_column(5000, 3100, false, 0.2, 9500, 320, 250000, 6.1, -0.2));
  EXPECT_EQ(income.family, "lognormal");
  EXPECT_EQ(income.why, "positive and skewed, 0.2 to 9500");
  // Serum cholesterol: skewed, but within a factor of ten.
  EXPECT_EQ(choice(number_column(300, 150, true, 126, 564, 246, 2680, 1.6, 0.2)).family,
            "gaussian");
}

TEST(Suits, AZeroAmongAmountsIsNoLognormal) {
  EXPECT_EQ(choice(number_column(5000, 3100, false, 0, 9500, 320, 250000, 6.1)).family, "gaussian");
  EXPECT_EQ(choice(number_column(32561, 119, true, 0, 99999, 1078, 5.4e7, 12)).family, "gaussian");
}

TEST(Suits, Measurements) {
  EXPECT_EQ(choice(number_column(300, 50, true, 94, 200, 131.7, 308, 0.7, 0.3)).family, "gaussian");
  EXPECT_EQ(choice(number_column(178, 126, false, 11.03, 14.83, 13, 0.66)).family, "gaussian");
  EXPECT_EQ(choice(number_column(400, 9, false, 0, 0.8, 0.3, 0.1)).family, "gaussian");
  EXPECT_EQ(choice(number_column(400, 81, false, -10, 10, 0.7, 27)).family, "gaussian");
  // Percentages.
  EXPECT_EQ(choice(number_column(400, 101, true, 0, 100, 54, 700)).family, "gaussian");
}

TEST(Suits, TextAndWordsAreNeverNumbers) {
  data::ColumnFacts text;
  text.rows = 100;
  text.distinct = 4;
  EXPECT_EQ(choice(text).family, "categorical");
  text.distinct = 99;
  EXPECT_EQ(choice(text).family, "none");
  // Brands: many, but each is met often.
  text.rows = 1560;
  text.distinct = 111;
  EXPECT_EQ(choice(text).family, "categorical");
  text.rows = 500;
  EXPECT_EQ(choice(text).family, "none");
  data::ColumnFacts words = number_column(100, 4000, true, 1, 30, 2, 2);
  words.kind = SourceKind::tokens;
  EXPECT_EQ(choice(words).family, "tokens");
}

TEST(Suits, SomeFamiliesAreOnlyAskedFor) {
  std::string why;
  const auto facts = number_column(5000, 3100, false, 0.2, 9500, 320, 250000, 6.1, -0.2);
  EXPECT_EQ(exponential_family.suits(facts, why), 0.0);
  EXPECT_EQ(gamma_family.suits(facts, why), 0.0);
}

}  // namespace
}  // namespace medley::families
