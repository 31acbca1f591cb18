// SPDX-License-Identifier: Apache-2.0
// Figures of data drawn from the model lie among those of the replicates; zeros and bursts that
// were planted do not.
#include "evaluate/absolute_fit.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "medley/simulate.hpp"
#include "support/hand_model.hpp"

namespace medley::evaluation {
namespace {

using Figure = PredictiveCheck::Figure;

AbsoluteFitOptions options(std::size_t threads = 0) {
  AbsoluteFitOptions out;
  out.replicates = 40;
  out.top = 4;
  out.threads = threads;
  return out;
}

PredictiveFit fit(const Model& model, const Dataset& data, const AbsoluteFitOptions& how) {
  const auto parts = model.parts().clone();
  for (model::ModelBlock& block : parts->blocks) block.family->prepare_draws();
  return predictive_checks(*parts, data, how);
}

const PredictiveCheck& check(const PredictiveFit& fit, const std::string& what, Figure figure) {
  const auto found = std::ranges::find_if(fit.check, [&](const PredictiveCheck& c) {
    return (c.word.empty() ? c.feature : c.word) == what && c.figure == figure;
  });
  EXPECT_NE(found, fit.check.end()) << what;
  return *found;
}

Model planted(const std::string& preset, const std::vector<PlantedColumns>& columns) {
  PlantOptions planting;
  planting.model = preset;
  planting.components = 3;
  planting.columns = columns;
  planting.seed = 6;
  return plant(planting);
}

Dataset drawn(const Model& model, std::size_t rows, double missing = 0.2) {
  SimulateOptions drawing;
  drawing.rows = rows;
  drawing.missing = missing;
  drawing.tokens = 25;
  drawing.seed = 21;
  return simulate(model, drawing).data;
}

TEST(PredictiveChecks, DataFromTheModelAreWithinChance) {
  for (const char* preset : {"mmnb", "mnb"}) {
    const Model model = planted(preset, {{"gaussian", 8, 0}, {"poisson", 8, 0}, {"tokens", 1, 30}});
    const PredictiveFit got = fit(model, drawn(model, 250), options());
    EXPECT_GE(got.check.size(), 40U);
    EXPECT_EQ(std::ranges::count_if(got.check, &PredictiveCheck::beyond_chance), 0) << preset;
    const auto low =
        std::ranges::count_if(got.check, [](const PredictiveCheck& c) { return c.p <= 0.1; });
    EXPECT_LT(static_cast<double>(low), 0.3 * static_cast<double>(got.check.size())) << preset;
    double sum = 0;
    for (const PredictiveCheck& c : got.check) sum += c.p / static_cast<double>(got.check.size());
    EXPECT_NEAR(sum, 0.5, 0.2) << preset;
  }
}

// The observed figures by hand: values 0, 1, 0, 4 with weights 1, 2, 0, 1; the last row has none.
TEST(PredictiveChecks, ObservedFiguresByHand) {
  Dataset data = test::dataset(
      {test::real_block("poisson", {{0}, {1}, {0}, {4}, {std::nan("")}}, 1),
       test::token_block("words", {{2, 0, 1}, {0, 3, 0}, {1, 1, 1}, {1, 0, 0}, {0, 0, 0}})});
  data.row_weight = {1, 2, 0, 1, 7};
  const auto parts = test::hand_parts("mixed", {0.5, 0.5}, data);
  test::set_table(*parts->blocks[1].family, {{0.6, 0.6}, {0.2, 0.2}, {0.2, 0.2}});
  AbsoluteFitOptions how = options();
  how.top = 2;
  const PredictiveFit got = fit(Model(parts), data, how);
  EXPECT_EQ(check(got, "x0", Figure::mean).observed, 1.5);
  EXPECT_EQ(check(got, "x0", Figure::variance).observed, (2.25 + 2 * 0.25 + 6.25) / 4);
  EXPECT_EQ(check(got, "x0", Figure::zero_share).observed, 0.25);
  // of the documents (weights 1, 2, 0, 1), w0 is in 2 of 4, with counts 2 and 1
  EXPECT_EQ(check(got, "w0", Figure::absent_share).observed, 0.5);
  EXPECT_NEAR(check(got, "w0", Figure::count_variance).observed, 5.0 / 4 - 9.0 / 16, 1e-12);
  EXPECT_EQ(check(got, "w1", Figure::absent_share).observed, 0.5);
  EXPECT_EQ(got.check.size(), 3U + 2 * 2);  // the top two words, not the third
}

// One profile: a Poisson rate of 2 and one word with p = 0.3 in documents of 5 words.
TEST(PredictiveChecks, ReplicatesFollowTheModel) {
  const std::vector<std::vector<double>> twos(500, {2.0});
  const std::vector<std::vector<int>> documents(500, {2, 3});
  const Dataset data =
      test::dataset({test::real_block("poisson", twos, 1), test::token_block("words", documents)});
  const auto parts = test::hand_parts("single", {1.0}, data);
  test::set_numbers(*parts->blocks[0].family, {{{2}}});
  test::set_table(*parts->blocks[1].family, {{0.3}, {0.7}});
  AbsoluteFitOptions how = options();
  how.replicates = 200;
  const PredictiveFit got = fit(Model(parts), data, how);
  const double sd = std::sqrt(2.0 / 500);  // of a replicate's mean
  const PredictiveCheck& mean = check(got, "x0", Figure::mean);
  EXPECT_NEAR(mean.mean, 2, 5 * sd / std::sqrt(200));
  EXPECT_NEAR(mean.high - mean.low, 2 * 1.645 * sd, 0.25 * 2 * 1.645 * sd);
  EXPECT_NEAR(check(got, "x0", Figure::variance).mean, 2, 0.05);
  EXPECT_NEAR(check(got, "x0", Figure::zero_share).mean, std::exp(-2.0), 0.01);
  EXPECT_NEAR(check(got, "w0", Figure::absent_share).mean, std::pow(0.7, 5), 0.01);
  EXPECT_NEAR(check(got, "w0", Figure::count_variance).mean, 5 * 0.3 * 0.7, 0.03);
  // the data vary not at all
  EXPECT_TRUE(check(got, "x0", Figure::variance).beyond_chance);
  EXPECT_NEAR(check(got, "x0", Figure::variance).p, 2.0 / 201, 1e-12);
  EXPECT_EQ(in_words(check(got, "x0", Figure::variance)), "varies less than the model expects");
}

TEST(PredictiveChecks, AddedZerosAreFound) {
  const Model model = planted("mmnb", {{"poisson", 5, 0}});
  Dataset data = drawn(model, 800);
  Block& block = data.blocks[0];
  for (std::size_t c = 0; c < block.cells(); ++c) {
    if (block.slot[c] == 2 && c % 3 == 0) block.value[c] = 0;
  }
  const PredictiveFit got = fit(model, data, options());
  EXPECT_EQ(got.check[0].feature, block.features[2].name);
  EXPECT_EQ(got.check[0].figure, Figure::zero_share);
  EXPECT_TRUE(got.check[0].beyond_chance);
  EXPECT_EQ(in_words(got.check[0]), "more zeros than the model expects");
  for (const PredictiveCheck& c : got.check) {
    EXPECT_EQ(c.beyond_chance && c.feature != block.features[2].name, false) << c.feature;
  }
}

// A word that comes all at once or not at all: the tokens of two documents, in one of them.
TEST(PredictiveChecks, BurstsAreFound) {
  const Model model = planted("lda", {{"tokens", 1, 30}});
  Dataset data = drawn(model, 250);
  Block& block = data.blocks[0];
  const Dataset before = data;
  AbsoluteFitOptions how = options();
  const PredictiveFit plain = fit(model, before, how);
  std::uint32_t bursty = 0;
  while (block.features[0].levels[bursty] != plain.check[0].word) ++bursty;
  float saved = 0;
  for (std::size_t row = 0; row < data.rows; ++row) {
    for (std::uint64_t c = block.row_start[row]; c < block.row_start[row + 1]; ++c) {
      if (block.slot[c] != bursty) continue;
      saved += block.weight[c];
      block.weight[c] = row % 4 == 3 ? saved : 0;
      if (row % 4 == 3) saved = 0;
    }
  }
  const PredictiveFit got = fit(model, data, how);
  EXPECT_EQ(got.check[0].word, plain.check[0].word);
  EXPECT_EQ(in_words(check(got, plain.check[0].word, Figure::count_variance)),
            "varies more than the model expects");
  EXPECT_TRUE(check(got, plain.check[0].word, Figure::count_variance).beyond_chance);
}

TEST(PredictiveChecks, TheSameAtAnyNumberOfThreads) {
  const Model model = planted("mmnb", {{"gaussian", 2, 0}, {"tokens", 1, 20}});
  const Dataset data = drawn(model, 50);
  const PredictiveFit one = fit(model, data, options(1)), three = fit(model, data, options(3));
  ASSERT_EQ(one.check.size(), three.check.size());
  for (std::size_t i = 0; i < one.check.size(); ++i) {
    EXPECT_EQ(one.check[i].mean, three.check[i].mean);
    EXPECT_EQ(one.check[i].high, three.check[i].high);
  }
}

TEST(PredictiveChecks, CountsThatAreNotWholeCannotBeDrawn) {
  Dataset data = test::dataset({test::token_block("words", {{2, 1}, {1, 1}})});
  data.blocks[0].weight[0] = 0.5F;
  const auto parts = test::hand_parts("mixed", {0.5, 0.5}, data);
  EXPECT_FALSE(whole_counts(data.blocks[0]));
  EXPECT_TRUE(fit(Model(parts), data, options()).check.empty());
}

}  // namespace
}  // namespace medley::evaluation
