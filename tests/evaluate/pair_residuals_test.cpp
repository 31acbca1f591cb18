// SPDX-License-Identifier: Apache-2.0
// Two-way tables against the exact probability of every pair of answers (a recursion over counts of
// components that knows nothing of moments), and data that were drawn from the model or not.
#include "evaluate/residuals.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "math/special.hpp"
#include "medley/simulate.hpp"
#include "support/exact.hpp"
#include "support/hand_model.hpp"

namespace medley::evaluation {
namespace {

PairFit fit(const model::Parts& parts, const Dataset& data, std::size_t top = 10) {
  PairFit out;
  const FeatureColumns columns = feature_columns(data, parts.components(), 1e9);
  level_pairs(parts, columns, data.row_weight, top, 1, out);
  return out;
}

// Slots x components: a question of 2 levels and one of 3.
const std::vector<std::vector<double>> kTable = {
    {0.2, 0.9}, {0.8, 0.1}, {0.5, 0.1}, {0.3, 0.1}, {0.2, 0.8}};

// Many rows, so that no cell is small: counts of (first, second) answer.
const std::vector<std::vector<int>> kCounts = {{40, 26, 62}, {34, 18, 24}};

std::vector<std::vector<int>> rows_of(const std::vector<std::vector<int>>& counts) {
  std::vector<std::vector<int>> rows;
  for (int r = 0; r < 2; ++r) {
    for (int s = 0; s < 3; ++s) {
      for (int i = 0; i < counts[static_cast<std::size_t>(r)][static_cast<std::size_t>(s)]; ++i)
        rows.push_back({r, s});
    }
  }
  return rows;
}

// Log probability of levels r and s, by enumerating the components of the two cells.
double pair_probability(const std::string& membership, const std::vector<double>& prior,
                        std::size_t r, std::size_t s) {
  if (membership == "single") {
    double p = 0;
    for (std::size_t k = 0; k < prior.size(); ++k) p += prior[k] * kTable[r][k] * kTable[2 + s][k];
    return p;
  }
  std::vector<double> a = kTable[r], b = kTable[2 + s];
  a.resize(prior.size());
  b.resize(prior.size());
  return std::exp(test::exact_log_likelihood({a, b}, {1, 1}, prior));
}

TEST(PairResiduals, EqualEnumeration) {
  const Dataset data = test::dataset({test::level_block("categorical", rows_of(kCounts), {2, 3})});
  struct Case {
    const char* membership;
    std::vector<double> prior;
  };
  for (const auto& [membership, prior] : {Case{"mixed", {0.3, 0.5}}, Case{"mixed", {7, 2}},
                                          Case{"single", {0.4, 0.6}}, Case{"mixed", {1}}}) {
    SCOPED_TRACE(membership);
    const auto parts = test::hand_parts(membership, prior, data);
    auto table = kTable;
    for (auto& slot : table) slot.resize(prior.size());
    test::set_table(*parts->blocks[0].family, table);
    double x2 = 0, furthest = 0, observed = 0;
    for (std::size_t r = 0; r < 2; ++r) {
      for (std::size_t s = 0; s < 3; ++s) {
        const double e = 204 * pair_probability(membership, prior, r, s), o = kCounts[r][s];
        ASSERT_GT(e, 5);
        x2 += (o - e) * (o - e) / e;
        if ((o - e) * (o - e) / e > furthest) {
          furthest = (o - e) * (o - e) / e;
          observed = o;
        }
      }
    }
    const PairFit got = fit(*parts, data);
    ASSERT_EQ(got.levels.size(), 1U);
    EXPECT_NEAR(got.levels[0].residual, x2 / 2, 1e-9);
    EXPECT_EQ(got.levels[0].rows, 204);
    EXPECT_EQ(got.levels[0].observed, observed);
    EXPECT_EQ(got.levels[0].beyond_chance, math::gamma_above(2.5, x2 / 2) <= 0.05);
    EXPECT_EQ(got.level_pairs_beyond, got.levels[0].beyond_chance ? 1U : 0U);
  }
}

TEST(PairResiduals, SmallCellsAreTakenTogether) {
  std::vector<std::vector<int>> rows(20, {0, 0});
  for (int i = 0; i < 8; ++i) rows.push_back({0, 1});
  for (int i = 0; i < 5; ++i) rows.push_back({1, 0});
  for (int i = 0; i < 7; ++i) rows.push_back({1, 1});
  const Dataset data = test::dataset({test::level_block("categorical", rows, {2, 2})});
  const auto parts = test::hand_parts("single", {1.0}, data);
  // 40 rows expect 28.8, 7.2, 3.2 and 0.8: the last two make 4, and with 7.2 11.2
  test::set_table(*parts->blocks[0].family, {{0.9}, {0.1}, {0.8}, {0.2}});
  const PairFit got = fit(*parts, data);
  ASSERT_EQ(got.levels.size(), 1U);
  const double x2 = (20 - 28.8) * (20 - 28.8) / 28.8 + (20 - 11.2) * (20 - 11.2) / 11.2;
  EXPECT_NEAR(got.levels[0].residual, x2, 1e-12);
  // of what is shown no cell is too small: the 7 rows that expect 0.8 are not
  EXPECT_EQ(got.levels[0].observed, 20);
  // two rows are less than one cell
  const Dataset two = test::dataset({test::level_block("categorical", {{0, 0}, {1, 1}}, {2, 2})});
  EXPECT_EQ(fit(*parts, two).level_pairs, 0U);
}

TEST(PairResiduals, MissingCellsAndWeights) {
  std::vector<std::vector<int>> rows = rows_of(kCounts);
  const Dataset plain = test::dataset({test::level_block("categorical", rows, {2, 3})});
  Dataset other = plain;
  rows.resize(128);  // the first answer's rows once, and the others by weight
  for (const auto& [r, s] : {std::pair(1, 0), std::pair(1, 1), std::pair(1, 2)})
    rows.push_back({r, s});
  rows.push_back({-1, 2});
  rows.push_back({1, -1});
  other = test::dataset({test::level_block("categorical", rows, {2, 3})});
  other.row_weight.assign(128, 1.0);
  for (const double w : {34, 18, 24, 50, 60}) other.row_weight.push_back(w);
  const auto parts = test::hand_parts("mixed", {0.3, 0.5}, plain);
  test::set_table(*parts->blocks[0].family, kTable);
  const PairFit a = fit(*parts, plain), b = fit(*parts, other);
  EXPECT_NEAR(a.levels[0].residual, b.levels[0].residual, 1e-12);
  EXPECT_NEAR(b.levels[0].rows, 204, 1e-12);
}

Model survey(const std::string& preset) {
  PlantOptions options;
  options.model = preset;
  options.components = 3;
  options.columns = {{"bernoulli", 12, 0}, {"categorical", 4, 3}};
  options.seed = 9;
  return plant(options);
}

Dataset drawn(const Model& model, std::size_t rows) {
  SimulateOptions options;
  options.rows = rows;
  options.missing = 0.1;
  options.seed = 4;
  return simulate(model, options).data;
}

// With the true parameters X^2 has as many degrees of freedom as cells less one: 3 for two yes/no
// questions, 5 for 2 x 3 and 8 for 3 x 3, so that residuals are 3, 2.5 and 2 on average.
TEST(PairResiduals, DataFromTheModelAreWithinChance) {
  for (const char* preset : {"mmnb", "mnb"}) {
    const Model model = survey(preset);
    const Dataset data = drawn(model, 4000);
    const PairFit got = fit(model.parts(), data, 1000);
    EXPECT_EQ(got.level_pairs, 16U * 15 / 2);
    EXPECT_EQ(got.level_pairs_beyond, 0U) << preset;
    double sum = 0;
    for (const LevelPair& pair : got.levels) sum += pair.residual;
    // 66 pairs of 3, 48 of 2.5, 6 of 2: 330; the standard deviation of the sum is about 25, more
    // where pairs share a column
    EXPECT_NEAR(sum, 330, 140) << preset;
  }
}

TEST(PairResiduals, AQuestionAskedTwiceIsFound) {
  const Model model = survey("mmnb");
  Dataset data = drawn(model, 1500);
  Block& block = data.blocks[0].features.size() == 12 ? data.blocks[0] : data.blocks[1];
  ASSERT_EQ(block.features.size(), 12U);
  // question 8 is answered as question 3 was, wherever both are
  for (std::size_t row = 0; row < data.rows; ++row) {
    std::uint32_t third = 99;
    for (std::uint64_t c = block.row_start[row]; c < block.row_start[row + 1]; ++c) {
      if (block.slot[c] / 2 == 3) third = block.slot[c] % 2;
      if (block.slot[c] / 2 == 8 && third != 99) block.slot[c] = 16 + third;
    }
  }
  const PairFit got = fit(model.parts(), data);
  EXPECT_EQ(got.levels[0].a, block.features[3].name);
  EXPECT_EQ(got.levels[0].b, block.features[8].name);
  EXPECT_TRUE(got.levels[0].beyond_chance);
  EXPECT_GT(got.levels[0].residual, 5 * got.levels[1].residual);
  PairFit threaded;
  level_pairs(model.parts(), feature_columns(data, 3, 1e9), {}, 10, 3, threaded);
  ASSERT_EQ(threaded.levels.size(), got.levels.size());
  for (std::size_t i = 0; i < got.levels.size(); ++i)
    EXPECT_EQ(threaded.levels[i].residual, got.levels[i].residual);
}

}  // namespace
}  // namespace medley::evaluation
