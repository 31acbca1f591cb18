// SPDX-License-Identifier: Apache-2.0
// Columns drawn from a known family: it must win, on the scale it was promised.
#include "choose/suggest_families.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "core/rng.hpp"
#include "data/column_facts.hpp"
#include "data/formats/csv.hpp"
#include "support/quick.hpp"

namespace medley::choose {
namespace {

NumericCells cells_of(const std::vector<double>& numbers) {
  NumericCells cells;
  for (const double number : numbers) {
    cells.number.push_back(number);
    data::append_number(cells.text.emplace_back(), number);
  }
  return cells;
}

ColumnRanking ranked(const std::vector<double>& numbers, std::size_t most = 20'000,
                     const std::string& ending = "") {
  NumericCells cells = cells_of(numbers);
  for (std::string& text : cells.text) text += ending;
  std::vector<std::uint32_t> code(numbers.size());
  for (std::size_t i = 0; i < code.size(); ++i) code[i] = static_cast<std::uint32_t>(i);
  data::ColumnFacts facts = data::summarise({cells.text, code}, data::MissingStrings({})).facts;
  facts.name = "x";
  std::vector<double> sorted = numbers;
  std::ranges::sort(sorted);
  facts.distinct = static_cast<std::size_t>(std::ranges::unique(sorted).begin() - sorted.begin());
  SuggestOptions options;
  options.most_cells = most;
  return rank_families(cells, facts, options);
}

template <class Draw>
std::vector<double> drawn(std::size_t count, const Draw& draw) {
  std::vector<double> numbers;
  for (std::size_t i = 0; i < count; ++i) {
    core::Rng rng(4, 9, i);
    numbers.push_back(draw(rng));
  }
  return numbers;
}

TEST(RankFamilies, NormalNumbersAndTheirEntropy) {
  const ColumnRanking ranking =
      ranked(drawn(1500, [](core::Rng& rng) { return 3 * rng.normal(); }));
  ASSERT_FALSE(ranking.families.empty());
  EXPECT_EQ(ranking.step, 0);  // all digits were written: too many for a step
  const RankedFamily& best = ranking.families.front();
  EXPECT_EQ(best.family, "gaussian");
  EXPECT_EQ(best.behind, 0);
  // minus the entropy of a normal: -log(sd sqrt(2 pi e))
  EXPECT_NEAR(best.score, -std::log(3 * std::sqrt(2 * std::numbers::pi * std::numbers::e)),
              4 * best.standard_error);
  EXPECT_EQ(ranking.find("categorical"), nullptr);  // no density
  EXPECT_EQ(ranking.find("poisson"), nullptr);      // not whole
}

TEST(RankFamilies, SkewedAmountsAreNotNormal) {
  const ColumnRanking ranking = ranked(drawn(
      test::quick() ? 600 : 1500, [](core::Rng& rng) { return std::exp(2 + 0.8 * rng.normal()); }));
  EXPECT_EQ(ranking.families.front().family, "lognormal");
  const RankedFamily* gaussian = ranking.find("gaussian");
  ASSERT_NE(gaussian, nullptr);
  EXPECT_EQ(gaussian->components, 3U);  // one normal is worse than three
  EXPECT_GT(gaussian->behind, 2 * gaussian->behind_error);
}

// Small counts: the true family beats the normal although the normal is scored on the lattice.
TEST(RankFamilies, CountsAgainstNormalsOnOneScale) {
  const auto poisson = [](core::Rng& rng) {
    double count = 0;
    for (double product = rng.uniform(); product > std::exp(-1.5); product *= rng.uniform())
      ++count;
    return count;
  };
  const ColumnRanking ranking = ranked(drawn(2000, poisson));
  EXPECT_EQ(ranking.step, 1);
  const RankedFamily *counts = ranking.find("poisson"), *real = ranking.find("gaussian"),
                     *levels = ranking.find("categorical");
  ASSERT_TRUE(counts != nullptr && real != nullptr && levels != nullptr);
  EXPECT_LT(counts->behind, 2 * counts->behind_error + 1e-12);
  EXPECT_GT(real->behind, 2 * real->behind_error);
  for (const RankedFamily& family : ranking.families) EXPECT_LT(family.score, 0);  // probabilities
}

// A normal with sd 20 rounded to whole numbers: the mass of the cells is the density at them.
TEST(RankFamilies, RoundedNormalsAreStillNormal) {
  const auto rounded = [](core::Rng& rng) { return std::round(200 + 20 * rng.normal()); };
  const ColumnRanking ranking = ranked(drawn(2000, rounded));
  const RankedFamily* real = ranking.find("gaussian");
  ASSERT_NE(real, nullptr);
  EXPECT_LT(real->behind, 2 * real->behind_error + 1e-12);
  EXPECT_NEAR(real->score, -std::log(20 * std::sqrt(2 * std::numbers::pi * std::numbers::e)),
              4 * real->standard_error);
  EXPECT_GT(ranking.find("poisson")->behind, 0);
  // 213.0 is as whole as 213
  const ColumnRanking pointed = ranked(drawn(2000, rounded), 20'000, ".0");
  EXPECT_EQ(pointed.step, 1);
  EXPECT_EQ(pointed.find("gaussian")->score, real->score);
}

TEST(RankFamilies, CountsFromOneTakeAShift) {
  const auto geometric = [](core::Rng& rng) {
    return 1 + std::floor(std::log(rng.uniform()) / std::log(0.6));
  };
  const ColumnRanking ranking = ranked(drawn(2000, geometric));
  const RankedFamily* shifted = ranking.find("geometric:shift=1");
  ASSERT_NE(shifted, nullptr);
  EXPECT_LT(shifted->behind, 2 * shifted->behind_error + 1e-12);
  EXPECT_GT(ranking.find("poisson")->behind, 2 * ranking.find("poisson")->behind_error);
}

// Three in ten are exactly 0, the others exponential, all to one decimal. A density would make a
// spike at 0 worth any number of nats; a probability cannot be above 1.
TEST(RankFamilies, ASpikeIsWorthItsShare) {
  const auto spiked = [](core::Rng& rng) {
    const double x = -2 * std::log(rng.uniform());
    return rng.uniform() < 0.3 ? 0.0 : std::round(10 * x) / 10;
  };
  const ColumnRanking ranking = ranked(drawn(1500, spiked));
  EXPECT_NEAR(ranking.step, 0.1, 1e-12);
  for (const RankedFamily& family : ranking.families) EXPECT_LT(family.score, 0) << family.family;
  // entropy: of the split, and of the exponential on a lattice of step 0.1 (about log(2 e / 0.1))
  const double split = -0.3 * std::log(0.3) - 0.7 * std::log(0.7);
  const double best = -split - 0.7 * std::log(2 * std::numbers::e / 0.1);
  EXPECT_LT(ranking.families.front().score, best + 4 * ranking.families.front().standard_error);
}

TEST(RankFamilies, ALongColumnIsSampled) {
  EXPECT_EQ(ranked(drawn(400, [](core::Rng& rng) { return rng.normal(); }), 100).cells, 100U);
}

}  // namespace
}  // namespace medley::choose
