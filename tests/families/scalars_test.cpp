// SPDX-License-Identifier: Apache-2.0
// What every family of numbers must do: its density is one, and moments, distribution function and
// draws are those of its density.
#include "families/scalars.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "families/one_column.hpp"
#include "support/perturb.hpp"

namespace medley::families {
namespace {

using ::testing::HasSubstr;

std::vector<const FamilyEntry*> families_of_numbers() {
  std::vector<const FamilyEntry*> result;
  for (const FamilyEntry* entry : registry()) {
    if (entry->encoding == Encoding::real) result.push_back(entry);
  }
  return result;
}

std::vector<double> numbers(const FamilyEntry& entry, double shift, std::uint64_t seed) {
  core::Rng rng(seed, 1);
  std::vector<double> values(30);
  for (double& v : values) v = shift + test::random_number(entry, rng);
  return values;
}

// A column, its parameters moved away from the column's average; with a shift, unless the density
// may be infinite at the edge of its support, which a shift would blur.
class EveryNumberFamily : public testing::TestWithParam<const FamilyEntry*> {
 public:
  [[nodiscard]] const FamilyEntry& entry() const { return *GetParam(); }
  [[nodiscard]] bool whole() const { return !entry().refusal(0.5).empty(); }
  [[nodiscard]] bool positive() const { return !entry().refusal(-0.5).empty(); }

  const double shift = positive() && !whole() ? 0 : 2;
  OneColumn column{*GetParam(), numbers(*GetParam(), shift, 4), shift};

  void vary(std::uint64_t seed) {
    core::Rng rng(seed, 2);
    test::perturb(*column.family, column.block, rng, 0.5);
    column.family->prepare(true);
  }

  // Points of the support with the width of what each stands for: whole numbers, or a line that is
  // bent so that evenly spaced steps are fine near the middle and reach very far.
  struct Point {
    double value, width;
  };
  [[nodiscard]] std::vector<Point> support() const {
    std::vector<Point> points;
    if (whole()) {
      for (int y = 0; y < 5000; ++y) points.push_back({shift + y, 1});
      return points;
    }
    constexpr double kStep = 2e-3;
    for (double t = -40; t < 8; t += kStep) {
      if (positive()) {
        points.push_back({shift + std::exp(t), kStep * std::exp(t)});
      } else {
        const double u = t / 4 + 4;  // -6 to 6
        points.push_back({shift + std::sinh(u), kStep / 4 * std::cosh(u)});
      }
    }
    return points;
  }
  [[nodiscard]] std::vector<double> masses(const std::vector<Point>& points) const {
    std::vector<double> at;
    for (const Point& point : points) at.push_back(point.value);
    auto mass = column.log_densities(at);
    for (std::size_t i = 0; i < mass.size(); ++i) mass[i] = std::exp(mass[i]) * points[i].width;
    return mass;
  }
};

TEST_P(EveryNumberFamily, DensityEqualsItsFormula) {
  for (std::uint64_t seed = 0; seed < 5; ++seed) {
    vary(seed);
    const auto p = test::exported(*column.family, 0, 0);
    const auto values = numbers(entry(), shift, 100 + seed);
    const auto logs = column.log_densities(values);
    for (std::size_t i = 0; i < values.size(); ++i) {
      const double truth = test::plain_log_density(entry().name, p, values[i] - shift);
      EXPECT_NEAR(logs[i], truth, 1e-13 * (1 + std::abs(truth)));
    }
  }
}

TEST_P(EveryNumberFamily, DensityIntegratesToOne) {
  const auto points = support();
  for (std::uint64_t seed = 0; seed < 5; ++seed) {
    vary(seed);
    double total = 0;
    for (const double mass : masses(points)) total += mass;
    EXPECT_NEAR(total, 1.0, 1e-7);
  }
}

TEST_P(EveryNumberFamily, MomentsAreThoseOfTheDensity) {
  const auto points = support();
  for (std::uint64_t seed = 0; seed < 5; ++seed) {
    vary(seed);
    const auto mass = masses(points);
    double mean = 0, variance = 0;
    for (std::size_t i = 0; i < mass.size(); ++i) mean += mass[i] * points[i].value;
    for (std::size_t i = 0; i < mass.size(); ++i)
      variance += mass[i] * std::pow(points[i].value - mean, 2);
    const Moments moments = column.family->numbers()->moments(0, 0);
    EXPECT_NEAR(moments.mean, mean, 1e-6 * (1 + std::abs(mean)));
    EXPECT_NEAR(moments.variance, variance, 1e-5 * (1 + variance));
  }
}

TEST_P(EveryNumberFamily, CumulativeIsTheIntegralOfTheDensity) {
  const auto points = support();
  vary(1);
  const auto mass = masses(points);
  double below = 0;
  for (std::size_t i = 0; i < mass.size(); ++i) {
    below += mass[i];
    // The last cell reaches half a width further, except that a whole number stands for itself.
    const double end = points[i].value + (whole() ? 0.0 : points[i].width / 2);
    EXPECT_NEAR(column.family->numbers()->cumulative(0, 0, end), below, 2e-5) << end;
    if (whole()) {
      EXPECT_EQ(column.family->numbers()->cumulative(0, 0, end + 0.5),
                column.family->numbers()->cumulative(0, 0, end));
    }
  }
  const double infinity = std::numeric_limits<double>::infinity();
  EXPECT_EQ(column.family->numbers()->cumulative(0, 0, -infinity), 0.0);
  EXPECT_EQ(column.family->numbers()->cumulative(0, 0, infinity), 1.0);
  if (positive()) {
    EXPECT_EQ(column.family->numbers()->cumulative(0, 0, shift - 0.5), 0.0);
  }
}

// Largest distance between the draws' distribution function and the family's. For n draws it
// exceeds 2.2 / sqrt(n) once in ten thousand; for whole numbers less often.
TEST_P(EveryNumberFamily, DrawsFollowTheDensity) {
  constexpr std::size_t kDraws = 20000;
  for (std::uint64_t seed = 0; seed < 3; ++seed) {
    vary(seed);
    column.family->prepare_draws();
    std::vector<double> draws(kDraws);
    for (std::size_t i = 0; i < kDraws; ++i) {
      core::Rng rng(seed, 3, i);
      const Draw drawn = column.family->draw(0, 0, rng);
      EXPECT_EQ(drawn.slot, 0U);
      EXPECT_EQ(entry().refusal(drawn.value - shift), "");
      draws[i] = drawn.value;
    }
    std::sort(draws.begin(), draws.end());
    double distance = 0;
    for (std::size_t i = 0; i < kDraws; ++i) {
      if (i + 1 < kDraws && draws[i + 1] == draws[i]) continue;
      const double share = static_cast<double>(i + 1) / static_cast<double>(kDraws);
      distance = std::max(distance,
                          std::abs(share - column.family->numbers()->cumulative(0, 0, draws[i])));
    }
    EXPECT_LT(distance, 2.2 / std::sqrt(static_cast<double>(kDraws)));
  }
}

TEST_P(EveryNumberFamily, NumbersFarFromEveryComponentStayFinite) {
  std::vector<double> values;
  for (const double far : {1e15, -1e15, 1e100, -1e100, 0.0, 1e-100, -1e-100, 1e8, 1e4}) {
    if (entry().refusal(far).empty()) values.push_back(far + shift);
  }
  ASSERT_GE(values.size(), 2U);
  OneColumn wide{entry(), numbers(entry(), shift, 4), shift, 3};
  core::Rng rng(7, 2);
  test::perturb(*wide.family, wide.block, rng, 0.5);
  wide.family->prepare(true);
  const Block cells = OneColumn::column(entry(), values, shift);
  std::vector<double> row(wide.family->padded()), logs(row), total(row.size(), 0.0);
  for (std::size_t i = 0; i < values.size(); ++i) {
    EXPECT_TRUE(std::isfinite(wide.family->likelihood_rows(cells, i, row.data()))) << values[i];
    EXPECT_EQ(*std::max_element(row.begin(), row.end()), 1.0) << values[i];
    EXPECT_EQ(std::count(row.begin() + 3, row.end(), 0.0), 5);
    wide.family->log_rows(cells, i, logs.data());
    wide.family->add_log_rows(cells, i, total.data());
    for (std::size_t k = 0; k < 3; ++k) {
      EXPECT_TRUE(row[k] >= 0 && row[k] <= 1) << values[i];
      EXPECT_TRUE(std::isfinite(logs[k]) && std::isfinite(total[k])) << values[i];
    }
  }
}

// The whole range that the family takes, in one column: nothing overflows on the way to the
// parameters.
TEST_P(EveryNumberFamily, ParametersStayPossibleWhateverTheNumbers) {
  const std::vector<double> candidates = {0,      1,      7,    1e15, -1e15, 1e100,
                                          -1e100, 1e-100, 0.25, -3,   1e4,   1e8};
  std::vector<double> values;
  for (const double v : candidates) {
    if (entry().refusal(v).empty()) values.push_back(v);
  }
  for (const auto& few : {values, std::vector<double>(5, values[0]), std::vector<double>(5, 1.0),
                          std::vector<double>{}}) {
    for (const double smoothing : {0.0, 0.01, 10.0}) {
      OneColumn extreme{entry(), few, 0, 2};
      std::vector<std::vector<double>> share;
      for (std::size_t row = 0; row < few.size(); ++row)
        share.push_back(row == 0 ? std::vector<double>{1, 0}
                                 : std::vector<double>{1e-12, 1 - 1e-12});
      extreme.learn(share, smoothing);
      EXPECT_EQ(entry().invalid_reason(*extreme.family), "");
      EXPECT_TRUE(std::isfinite(extreme.family->log_prior(smoothing)));
      for (const double log : extreme.log_densities(few)) EXPECT_TRUE(std::isfinite(log));
    }
  }
}

// Pieces of eps are eps observations like the column's average: with a huge eps every component
// has the parameters of the whole column.
TEST_P(EveryNumberFamily, SmoothingPullsTowardsTheColumn) {
  OneColumn whole_column{entry(), numbers(entry(), shift, 4), shift, 2};
  const auto itself = test::exported(*whole_column.family, 0, 0);
  std::vector<std::vector<double>> share;
  for (std::size_t row = 0; row < 30; ++row)
    share.push_back(row % 5 == 0 ? std::vector<double>{1, 0} : std::vector<double>{0.2, 0.8});
  whole_column.learn(share, 1e9);
  const bool smoothed = whole_column.family->log_prior(1) != 0;
  for (const auto& [key, value] : test::exported(*whole_column.family, 0, 0)) {
    if (smoothed || key == "shift") {
      EXPECT_NEAR(value, itself.at(key), 1e-6 * std::abs(value)) << key;
    } else {
      EXPECT_NE(value, itself.at(key)) << key;
    }
  }
}

TEST_P(EveryNumberFamily, ObservingSetsTheMaximumOfTheColumn) {
  const auto observed = test::exported(*column.family, 0, 0);
  column.learn();
  for (const auto& [key, value] : test::exported(*column.family, 0, 0))
    EXPECT_NEAR(value, observed.at(key), 1e-9 * std::abs(value)) << key;
}

TEST_P(EveryNumberFamily, RowAndCellWeightsCountLikeRepetition) {
  const std::vector<double> twice = numbers(entry(), 0, 8);
  std::vector<double> repeated = twice;
  repeated.insert(repeated.end(), twice.begin(), twice.begin() + 10);
  const OneColumn truth{entry(), repeated};
  OneColumn weighted{entry(), twice};
  std::vector<double> row_weight(twice.size(), 0.5);
  weighted.block.weight.assign(twice.size(), 2.0F);
  std::fill_n(weighted.block.weight.begin(), 10, 4.0F);
  weighted.family->observe(weighted.block, weighted.columns, row_weight);
  for (const auto& [key, value] : test::exported(*truth.family, 0, 0))
    EXPECT_NEAR(weighted.parameter(key), value, 1e-12 * (1 + std::abs(value))) << key;
  std::vector<double> total(weighted.family->padded(), 0.0), row(total);
  weighted.family->prepare(true);
  weighted.family->add_log_rows(weighted.block, 0, total.data());
  const double once = weighted.log_densities({twice[0]})[0];
  EXPECT_NEAR(total[0], 4 * once, 1e-12 * (1 + std::abs(once)));
  EXPECT_NEAR(weighted.family->likelihood_rows(weighted.block, 0, row.data()), 4 * once,
              1e-12 * (1 + std::abs(once)));
}

TEST_P(EveryNumberFamily, AShiftIsSubtractedFromEveryNumber) {
  const OneColumn shifted{entry(), numbers(entry(), 4, 4), 4};
  const OneColumn plain{entry(), numbers(entry(), 0, 4)};
  const double at = 3;
  EXPECT_NEAR(shifted.log_densities({at + 4})[0], plain.log_densities({at})[0], 1e-12);
  EXPECT_NEAR(shifted.family->numbers()->cumulative(0, 0, at + 4),
              plain.family->numbers()->cumulative(0, 0, at), 1e-12);
  EXPECT_NEAR(shifted.family->numbers()->moments(0, 0).mean,
              plain.family->numbers()->moments(0, 0).mean + 4, 1e-12);
  EXPECT_NEAR(shifted.family->numbers()->moments(0, 0).variance,
              plain.family->numbers()->moments(0, 0).variance, 1e-12);
  core::Rng one(1, 1), same(1, 1);
  EXPECT_NEAR(shifted.family->draw(0, 0, one).value, plain.family->draw(0, 0, same).value + 4,
              1e-12);
}

TEST_P(EveryNumberFamily, TheExportNamesTheShiftWhereThereIsOne) {
  const OneColumn shifted{entry(), numbers(entry(), 2, 4), 2};
  EXPECT_EQ(shifted.parameter("shift"), 2);
  const OneColumn plain{entry(), numbers(entry(), 0, 4)};
  const bool always = std::string(entry().name) == "poisson";
  EXPECT_EQ(test::exported(*plain.family, 0, 0).contains("shift"), always);
}

TEST_P(EveryNumberFamily, WordCountsAreObjectedTo) {
  data::ColumnFacts facts;
  facts.kind = SourceKind::tokens;
  EXPECT_THAT(entry().objection(facts), HasSubstr(entry().name));
  for (const SourceKind kind : {SourceKind::table, SourceKind::triplets, SourceKind::column}) {
    facts.kind = kind;
    EXPECT_EQ(entry().objection(facts), "");
  }
}

TEST_P(EveryNumberFamily, NoFamilyTakesWhatIsNoFiniteNumber) {
  for (const double bad : {std::numeric_limits<double>::infinity(), std::nan("")}) {
    EXPECT_NE(entry().refusal(bad), "") << bad;
    EXPECT_NE(entry().refusal(-bad), "") << -bad;
  }
}

INSTANTIATE_TEST_SUITE_P(Registry, EveryNumberFamily, testing::ValuesIn(families_of_numbers()),
                         [](const auto& member) { return std::string(member.param->name); });

}  // namespace
}  // namespace medley::families
