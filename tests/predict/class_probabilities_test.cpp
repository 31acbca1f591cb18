// SPDX-License-Identifier: Apache-2.0
// Class probabilities against Bayes' rule, against the sum over every assignment of components, and
// against a fixed point iterated here.
#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "math/dirichlet.hpp"
#include "math/special.hpp"
#include "medley/error.hpp"
#include "medley/predict.hpp"
#include "support/all_assignments.hpp"
#include "support/labelled.hpp"

namespace medley {
namespace {

constexpr std::size_t kComponents = 3, kClasses = 3;
const std::vector<double> kPrior = {0.5, 0.3, 0.2};
const std::vector<double> kAlpha = {0.7, 0.3, 1.4};
const std::vector<std::vector<double>> kShares = {
    {0.90, 0.05, 0.30}, {0.08, 0.15, 0.30}, {0.02, 0.80, 0.40}};
const std::vector<std::vector<double>> kAnswers = {
    {0.9, 0.2, 0.5}, {0.1, 0.8, 0.5}, {0.6, 0.1, 0.2}, {0.3, 0.3, 0.2}, {0.1, 0.6, 0.6}};
const std::vector<std::vector<double>> kWords = {{0.7, 0.2, 0.1}, {0.2, 0.3, 0.6}, {0.1, 0.5, 0.3}};

// Answers and words; the fourth row is empty, the last repeats the first.
Dataset rows() {
  return test::dataset(
      {test::level_block("categorical", {{0, 2}, {1, -1}, {-1, 0}, {-1, -1}, {0, 2}}, {2, 3}),
       test::token_block("words", {{2, 0, 1}, {0, 1, 1}, {0, 0, 3}, {0, 0, 0}, {2, 0, 1}})});
}

std::shared_ptr<model::Parts> parts_of(const Dataset& data, const std::string& membership,
                                       const std::string& inference = "standard") {
  auto parts =
      test::hand_parts(membership, membership == "single" ? kPrior : kAlpha, data, inference);
  test::set_table(*parts->blocks[0].family, kAnswers);
  test::set_table(*parts->blocks[1].family, kWords);
  test::set_head(*parts, kShares);
  return parts;
}

// The likelihoods of a row's observations, one by one; weights are unrolled.
std::vector<std::vector<double>> observations(const Dataset& data, std::size_t row) {
  std::vector<std::vector<double>> l;
  for (std::size_t b = 0; b < 2; ++b) {
    const Block& block = data.blocks[b];
    for (std::uint64_t c = block.row_start[row]; c < block.row_start[row + 1]; ++c)
      l.insert(l.end(), static_cast<std::size_t>(block.weight_of(c)),
               (b == 0 ? kAnswers : kWords)[block.slot[c]]);
  }
  return l;
}

// sum_k r_k P(h | k) with r given up to a factor.
std::vector<double> mixed_by(std::vector<double> r) {
  const double sum = std::accumulate(r.begin(), r.end(), 0.0);
  std::vector<double> p(kClasses, 0.0);
  for (std::size_t h = 0; h < kClasses; ++h)
    for (std::size_t k = 0; k < kComponents; ++k) p[h] += r[k] / sum * kShares[h][k];
  return p;
}

// P(h | zbar), from its definition: proportional to prod_k P(h | k)^zbar_k.
std::vector<double> at(const std::vector<double>& zbar) {
  std::vector<double> p(kClasses, 1.0);
  for (std::size_t h = 0; h < kClasses; ++h)
    for (std::size_t k = 0; k < kComponents; ++k) p[h] *= std::pow(kShares[h][k], zbar[k]);
  const double sum = std::accumulate(p.begin(), p.end(), 0.0);
  for (double& value : p) value /= sum;
  return p;
}

std::vector<double> scaled(std::vector<double> values) {
  const double sum = std::accumulate(values.begin(), values.end(), 0.0);
  for (double& value : values) value /= sum;
  return values;
}

void expect_row(const ClassProbabilities& found, std::size_t row,
                const std::vector<double>& truth) {
  ASSERT_EQ(found.row(row).size(), truth.size());
  for (std::size_t h = 0; h < truth.size(); ++h)
    EXPECT_NEAR(found.row(row)[h], truth[h], 1e-12) << "row " << row << ", class " << h;
}

TEST(ClassProbabilities, SingleMembershipIsBayesRule) {
  const Dataset data = rows();
  const ClassProbabilities found = predict_classes(Model(parts_of(data, "single")), data);
  EXPECT_EQ(found.method, "exact");
  EXPECT_EQ(found.column, "kind");
  EXPECT_EQ(found.classes, (std::vector<std::string>{"c0", "c1", "c2"}));
  ASSERT_EQ(found.rows(), data.rows);
  for (std::size_t row = 0; row < data.rows; ++row) {
    std::vector<double> r = kPrior;
    for (const auto& l : observations(data, row))
      for (std::size_t k = 0; k < kComponents; ++k) r[k] *= l[k];
    expect_row(found, row, mixed_by(r));
  }
}

// Of all assignments only those that give every observation to one component.
TEST(ClassProbabilities, FastInferencePredictsBySoleMembership) {
  const Dataset data = rows();
  const ClassProbabilities found = predict_classes(Model(parts_of(data, "mixed", "fast")), data);
  EXPECT_EQ(found.method, "sole membership");
  for (std::size_t row = 0; row < data.rows; ++row) {
    const auto l = observations(data, row);
    std::vector<double> r;
    for (std::size_t k = 0; k < kComponents; ++k) {
      std::vector<double> counted = kAlpha;
      counted[k] += static_cast<double>(l.size());
      r.push_back(std::exp(math::log_beta(counted) - math::log_beta(kAlpha)));
      for (const auto& each : l) r[k] *= each[k];
    }
    expect_row(found, row, mixed_by(l.empty() ? kAlpha : r));
  }
}

TEST(ClassProbabilities, TheConditionalObjectivePredictsInTheFormItWasFittedIn) {
  const Dataset data = rows();
  const auto fast = parts_of(data, "mixed", "fast"), conditional = parts_of(data, "mixed");
  conditional->options.label.objective = LabelObjective::conditional;
  const ClassProbabilities found = predict_classes(Model(conditional), data);
  EXPECT_EQ(found.method, "sole membership");
  EXPECT_EQ(found.probability, predict_classes(Model(fast), data).probability);
  const auto single = parts_of(data, "single");
  single->options.label.objective = LabelObjective::conditional;
  EXPECT_EQ(predict_classes(Model(single), data).method, "exact");
}

TEST(ClassProbabilities, MixedMembershipIsTheSumOverAllAssignments) {
  const Dataset data = rows();
  for (const char* inference : {"standard", "exact", "monte-carlo"}) {
    const ClassProbabilities found =
        predict_classes(Model(parts_of(data, "mixed", inference)), data);
    EXPECT_EQ(found.method, "exact");
    for (std::size_t row = 0; row < data.rows; ++row) {
      const auto l = observations(data, row);
      if (l.empty()) {
        expect_row(found, row, at(scaled(kAlpha)));
        continue;
      }
      std::vector<double> truth(kClasses, 0.0);
      for (const auto& [n, p] : test::all_assignments(l, kAlpha).counts) {
        std::vector<double> zbar;
        for (const int count : n)
          zbar.push_back(static_cast<double>(count) / static_cast<double>(l.size()));
        const std::vector<double> of_n = at(zbar);
        for (std::size_t h = 0; h < kClasses; ++h) truth[h] += p * of_n[h];
      }
      expect_row(found, row, truth);
    }
  }
}

// Cells that count half cannot be enumerated: phibar of the fixed point.
TEST(ClassProbabilities, WithoutCountsThePlugInIsUsed) {
  Dataset data = rows();
  for (Block& block : data.blocks) {
    if (block.weight.empty()) block.weight.assign(block.cells(), 1.0F);
    for (float& weight : block.weight) weight *= 0.5F;
  }
  const ClassProbabilities found = predict_classes(Model(parts_of(data, "mixed")), data);
  EXPECT_EQ(found.method, "plug-in");
  for (std::size_t row = 0; row < data.rows; ++row) {
    const double m = data.observed(row);
    std::vector<double> gamma = kAlpha;
    for (double& g : gamma) g += m / kComponents;
    std::vector<double> phibar(kComponents);
    for (int sweep = 0; sweep < 2000; ++sweep) {
      std::fill(phibar.begin(), phibar.end(), 0.0);
      for (std::size_t b = 0; b < 2; ++b) {
        const Block& block = data.blocks[b];
        for (std::uint64_t c = block.row_start[row]; c < block.row_start[row + 1]; ++c) {
          std::vector<double> phi = (b == 0 ? kAnswers : kWords)[block.slot[c]];
          for (std::size_t k = 0; k < kComponents; ++k) phi[k] *= std::exp(math::digamma(gamma[k]));
          phi = scaled(phi);
          for (std::size_t k = 0; k < kComponents; ++k)
            phibar[k] += static_cast<double>(block.weight[c]) * phi[k] / m;
        }
      }
      for (std::size_t k = 0; k < kComponents; ++k) gamma[k] = kAlpha[k] + m * phibar[k];
    }
    const std::vector<double> truth = at(m > 0 ? phibar : scaled(kAlpha));
    for (std::size_t h = 0; h < kClasses; ++h) EXPECT_NEAR(found.row(row)[h], truth[h], 1e-8);
  }
}

// log-likelihoods near -6400 under both components, log 4 apart.
TEST(ClassProbabilities, LongRowsDoNotUnderflow) {
  const Dataset data = test::dataset({test::token_block("words", {{2000, 1001, 999}})});
  for (const auto& [membership, inference] :
       {std::pair("single", "standard"), std::pair("mixed", "fast")}) {
    auto parts = test::hand_parts(membership, {0.5, 0.5}, data, inference);
    test::set_table(*parts->blocks[0].family, {{0.1, 0.1}, {0.6, 0.3}, {0.3, 0.6}});
    test::set_head(*parts, {{0.9, 0.2}, {0.1, 0.8}});
    const ClassProbabilities found = predict_classes(Model(parts), data);
    EXPECT_NEAR(found.row(0)[0], 0.8 * 0.9 + 0.2 * 0.2, 1e-9);
    EXPECT_NEAR(found.row(0)[0] + found.row(0)[1], 1, 1e-12);
  }
}

TEST(ClassProbabilities, ARowThatIsImpossibleEverywhereKeepsThePrior) {
  const Dataset data = test::dataset({test::level_block("categorical", {{0, 0}}, {2, 2})});
  auto parts = test::hand_parts("single", {0.25, 0.75}, data);
  test::set_table(*parts->blocks[0].family, {{0, 1}, {1, 0}, {1, 0}, {0, 1}});
  test::set_head(*parts, {{0.5, 0.1}, {0.5, 0.9}});
  const ClassProbabilities found = predict_classes(Model(parts), data);
  EXPECT_NEAR(found.row(0)[0], 0.25 * 0.5 + 0.75 * 0.1, 1e-12);
}

TEST(ClassProbabilities, TheSameBitsAtAnyNumberOfThreadsAndWithOrWithoutALabel) {
  for (const char* membership : {"single", "mixed"}) {
    const Block block = test::random_block(*families::find("categorical"), 300, 3, 0.2);
    Dataset data = test::dataset({block});
    auto parts = test::hand_parts(membership, {0.4, 0.6}, data);
    core::Rng rng(2, 5);
    std::vector<std::vector<double>> table(block.slots());
    for (auto& row : table) row = {0.1 + rng.uniform(), 0.1 + rng.uniform()};
    test::set_table(*parts->blocks[0].family, table);
    test::set_head(*parts, {{0.7, 0.2}, {0.3, 0.8}});
    const Model model(parts);
    const std::vector<double> one = predict_classes(model, data, 1).probability;
    EXPECT_EQ(one, predict_classes(model, data, 3).probability);
    data.schema = model.schema();
    data.kept = {{"kind", {"c0", "c1"}, std::vector<std::int32_t>(data.rows, 1)}};
    EXPECT_EQ(one, predict_classes(model, data, 2).probability);
  }
}

TEST(ClassProbabilities, AModelWithoutALabelSaysSo) {
  const Dataset data = rows();
  auto parts = parts_of(data, "mixed");
  EXPECT_TRUE(predicts_classes(Model(parts)));
  parts->head.reset();
  EXPECT_FALSE(predicts_classes(Model(parts)));
  EXPECT_THROW((void)predict_classes(Model(parts), data), InputError);
  EXPECT_THROW((void)explain_classes(Model(parts), data, 3), InputError);
}

TEST(ClassProbabilities, TheFirstOfEquallyLikelyClassesIsPredicted) {
  ClassProbabilities p{"kind", {"a", "b", "c"}, {0.2, 0.4, 0.4, 0.5, 0.5, 0}, "exact"};
  EXPECT_EQ(p.top(0), 1U);
  EXPECT_EQ(p.top(1), 0U);
}

}  // namespace
}  // namespace medley
