// SPDX-License-Identifier: Apache-2.0
// Matching components: distances in closed form, hidden permutations, and the whole round trip.
#include "medley/evaluate.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "families/registry.hpp"
#include "medley/error.hpp"
#include "medley/fit.hpp"
#include "medley/options.hpp"
#include "medley/simulate.hpp"
#include "model/model.hpp"

namespace medley {
namespace {

PlantOptions planted(std::size_t components, std::uint64_t seed) {
  PlantOptions options;
  options.components = components;
  options.columns = {{"categorical", 6, 4}, {"bernoulli", 8, 0}};
  options.alpha = 0.2;
  options.separation = 2;
  options.seed = seed;
  return options;
}

Model with_order(const Model& model, const std::vector<std::size_t>& order) {
  auto parts = model.parts().clone();
  parts->membership->permute(order);
  for (model::ModelBlock& block : parts->blocks) block.family->permute(order);
  return Model(parts);
}

TEST(Compare, FindsAPermutation) {
  const Model model = plant(planted(5, 1));
  const std::vector<std::size_t> order = {3, 0, 4, 1, 2};
  const Comparison found = compare(with_order(model, order), model);
  ASSERT_EQ(found.pairs.size(), 5U);
  for (std::size_t k = 0; k < 5; ++k) {
    EXPECT_EQ(found.pairs[k].a, k);
    EXPECT_EQ(found.pairs[k].b, order[k]);
    EXPECT_NEAR(found.pairs[k].distance, 0, 1e-7);
  }
  EXPECT_EQ(found.features, 14U);
}

// One bernoulli column, p = 0.2 against 0.9: H^2 = 1 - sqrt(0.2 * 0.9) - sqrt(0.8 * 0.1).
TEST(Compare, TheDistanceIsHellingers) {
  PlantOptions options;
  options.components = 1;
  options.columns = {{"bernoulli", 1, 0}};
  const auto model_with = [&](double p) {
    auto parts = plant(options).parts().clone();
    std::vector<double> table(parts->blocks[0].family->parameters().size(), 0.0);
    table[0] = 1 - p;
    table[parts->blocks[0].family->padded()] = p;
    parts->blocks[0].family->set_parameters(table);
    return Model(parts);
  };
  const Comparison found = compare(model_with(0.2), model_with(0.9));
  EXPECT_NEAR(found.distance, std::sqrt(1 - std::sqrt(0.18) - std::sqrt(0.08)), 1e-12);
  ASSERT_EQ(found.pairs[0].largest.size(), 1U);
  EXPECT_NEAR(std::abs(found.pairs[0].largest[0].a - found.pairs[0].largest[0].b), 0.7, 1e-12);
}

TEST(Compare, ComponentsWithoutAPartnerAreListed) {
  const Model large = plant(planted(4, 1));
  auto parts = plant(planted(2, 1)).parts().clone();
  for (std::size_t b = 0; b < 2; ++b) {  // its two components are the fourth and the second
    const auto& from = *large.parts().blocks[b].family;
    std::vector<double> table(parts->blocks[b].family->parameters().size(), 0.0);
    for (std::size_t s = 0; s < large.parts().blocks[b].shape.slots(); ++s) {
      table[s * parts->blocks[b].family->padded()] = from.parameters()[s * from.padded() + 3];
      table[s * parts->blocks[b].family->padded() + 1] = from.parameters()[s * from.padded() + 1];
    }
    parts->blocks[b].family->set_parameters(table);
  }
  const Model small(parts);
  const Comparison found = compare(small, large);
  ASSERT_EQ(found.pairs.size(), 2U);
  EXPECT_EQ(found.pairs[0].b, 3U);
  EXPECT_EQ(found.pairs[1].b, 1U);
  EXPECT_EQ(found.only_b, (std::vector<std::size_t>{0, 2}));
  EXPECT_TRUE(found.only_a.empty());
  EXPECT_EQ(compare(large, small).only_a, (std::vector<std::size_t>{0, 2}));
}

TEST(Compare, OtherColumnsAreLeftOutOrRefused) {
  PlantOptions more = planted(3, 1), other = planted(3, 1);
  more.columns = {{"categorical", 7, 4}, {"bernoulli", 8, 0}};
  other.columns = {{"categorical", 6, 5}};
  other.triplets = true;
  const Comparison found = compare(plant(planted(3, 1)), plant(more));
  EXPECT_EQ(found.features, 14U);
  EXPECT_EQ(found.left_out, std::vector<std::string>{"categorical_7"});
  EXPECT_THROW((void)compare(plant(planted(3, 1)), plant(other)), InputError);
}

// Plant, draw, fit, compare: with enough rows the fit is the planted model, some columns missing.
TEST(Compare, AFitFindsWhatWasPlanted) {
  const Model truth = plant(planted(3, 11));
  SimulateOptions drawing;
  drawing.rows = 3000;
  drawing.missing = 0.1;
  FitOptions fitting;
  fitting.components = 3;
  const Model fitted = fit(simulate(truth, drawing).data, fitting);
  const Comparison found = compare(truth, fitted);
  ASSERT_EQ(found.pairs.size(), 3U);
  for (const ComparedPair& pair : found.pairs) {
    EXPECT_LT(pair.distance, 0.08);
    for (const ComparedFeature& feature : pair.largest)
      EXPECT_NEAR(feature.a, feature.b, 0.1) << feature.feature << ' ' << feature.level;
    EXPECT_NEAR(fitted.sizes()[pair.b], 1.0 / 3, 0.05);
  }
  // and the match is no accident: two planted models are far apart
  EXPECT_GT(compare(truth, plant(planted(3, 12))).distance, 0.25);
}

// Numbers of every kind beside levels, single membership (where the fit is exact): means and
// spreads come back, feature by feature.
TEST(Compare, EveryFamilyInOneTableIsFoundAgain) {
  PlantOptions options;
  options.model = "mnb";
  options.components = 2;
  options.separation = 2;
  for (const CatalogueEntry& family : list_families()) {
    if (families::find(family.name)->encoding != Encoding::tokens)
      options.columns.push_back({family.name, 3, 0});
  }
  const Model truth = plant(options);
  SimulateOptions drawing;
  drawing.rows = 4000;
  drawing.missing = 0.2;
  FitOptions fitting;
  fitting.model = "mnb";
  fitting.components = 2;
  const Comparison found = compare(truth, fit(simulate(truth, drawing).data, fitting), 100);
  ASSERT_EQ(found.pairs.size(), 2U);
  for (const ComparedPair& pair : found.pairs) {
    EXPECT_EQ(pair.largest.size(), found.features);
    for (const ComparedFeature& feature : pair.largest)
      EXPECT_LT(feature.distance, 0.06) << feature.feature << ' ' << feature.a << ' ' << feature.b;
  }
}

// Two normals: means 0 and 3, standard deviations 1 and 2.
// Three rows by hand; component 2 of the first model has no partner.
TEST(MembershipAgreement, AddsUpTheSmallerSharesOfPartners) {
  Comparison comparison;
  comparison.pairs = {{0, 1, 0, {}}, {1, 0, 0, {}}};
  comparison.only_a = {2};
  const Memberships a{3, {0.6, 0.3, 0.1, 0.0, 0.2, 0.8, 0.3, 0.7, 0.0}};
  const Memberships b{2, {0.5, 0.5, 0.9, 0.1, 0.6, 0.4}};
  const MembershipAgreement m = membership_agreement(comparison, a, b);
  EXPECT_EQ(m.rows, 3U);
  EXPECT_NEAR(m.overlap, ((0.5 + 0.3) + (0.0 + 0.2) + (0.3 + 0.6)) / 3, 1e-14);
  // Row 1: b's largest is the first (of equals), partner of a's second; row 2: a's has no partner.
  EXPECT_NEAR(m.same_top, 1.0 / 3, 1e-14);
  ASSERT_EQ(m.correlation.size(), 2U);
  // (.6, 0, .3) against (.5, .1, .4): deviations (.3, -.3, 0) and (1/6, -7/30, 1/15).
  EXPECT_NEAR(m.correlation[0],
              0.3 * (1.0 / 6 + 7.0 / 30) / std::sqrt(0.18 * (1.0 / 36 + 49.0 / 900 + 1.0 / 225)),
              1e-12);
  EXPECT_THROW((void)membership_agreement(comparison, a, {2, {0.5, 0.5}}), InputError);
}

TEST(Compare, NumbersAreComparedByMeanAndVariance) {
  PlantOptions options;
  options.model = "mnb";
  options.components = 1;
  options.columns = {{"gaussian", 1, 0}};
  const auto model_of = [&](double mean, double sd) {
    Dataset data = simulate(plant(options), {.rows = 3, .missing = 0, .tokens = 1, .seed = 1}).data;
    // three values with this mean and this variance exactly: ML divides by n
    const double off = sd * std::sqrt(1.5);
    data.blocks[0].value = {mean - off, mean, mean + off};
    FitOptions fitting;
    fitting.model = "mnb";
    fitting.components = 1;
    fitting.smoothing = 0;
    return fit(data, fitting);
  };
  const Comparison found = compare(model_of(0, 1), model_of(3, 2));
  const double overlap = std::sqrt(2 * 1.0 * 2.0 / 5.0) * std::exp(-9.0 / 20.0);
  EXPECT_NEAR(found.distance, std::sqrt(1 - overlap), 1e-6);
  EXPECT_NEAR(found.pairs[0].largest[0].sd_b, 2, 1e-6);
}

}  // namespace
}  // namespace medley
