// SPDX-License-Identifier: Apache-2.0
#include "samplers/dp_search.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "samplers/clusters.hpp"
#include "samplers/dp_chain.hpp"
#include "samplers/visits.hpp"

namespace medley::samplers {
namespace {

// From closed forms: joint + sum over rows of (log sum_k w - log w of its own), where
// w_k = n_k p(row and rows of k) / p(rows of k).
double plain_evidence(const Small& problem, const Labels& labels) {
  const std::uint32_t most = *std::max_element(labels.begin(), labels.end());
  double sum = exact_log_joint(problem.data, problem.priors, problem.concentration, labels);
  for (std::size_t row = 0; row < labels.size(); ++row) {
    std::vector<double> weight;
    for (std::uint32_t k = 0; k <= most; ++k) {
      std::vector<std::size_t> rows;
      for (std::size_t i = 0; i < labels.size(); ++i) {
        if (labels[i] == k) rows.push_back(i);
      }
      double& w = weight.emplace_back(std::log(static_cast<double>(rows.size())));
      for (std::size_t b = 0; b < problem.data.blocks.size(); ++b)
        w -= test::plain_marginal(problem.data.blocks[b], rows, problem.priors[b].plain);
      rows.push_back(row);
      for (std::size_t b = 0; b < problem.data.blocks.size(); ++b)
        w += test::plain_marginal(problem.data.blocks[b], rows, problem.priors[b].plain);
    }
    sum += math::log_sum_exp(weight) - weight[labels[row]];
  }
  return sum;
}

TEST(DpSearch, EvidenceIsItsFormula) {
  for (const Small& problem : {equal_rows(), one_block(families::gaussian_family, 7)}) {
    const DpModel model(problem.data, problem.options());
    DpSearch search(model);
    for (const Labels& labels :
         {Labels{0, 0, 0, 0, 0, 0, 0}, Labels{0, 1, 2, 0, 1, 0, 3}, Labels{0, 1, 2, 3, 4, 5, 6}})
      EXPECT_NEAR(search.evidence(labels, problem.concentration), plain_evidence(problem, labels),
                  1e-9);
  }
}

// Three kinds of people, told apart by 12 answers that are 90 % alike.
struct Planted {
  Planted() : problem({block()}) {
    for (std::size_t i = 0; i < kRows; ++i) truth.push_back(static_cast<std::uint32_t>(i % 3));
  }
  static Block block() {
    core::Rng rng(2, 2);
    std::vector<std::vector<int>> codes;
    for (std::size_t i = 0; i < kRows; ++i) {
      auto& row = codes.emplace_back();
      for (std::size_t f = 0; f < 12; ++f)
        row.push_back((rng.uniform() < 0.9) == (f / 4 == i % 3) ? 1 : 0);
    }
    return test::level_block(families::bernoulli_family.name, codes,
                             std::vector<std::size_t>(12, 2));
  }
  static constexpr std::size_t kRows = 240;
  Small problem;
  Labels truth;
};

TEST(DpSearch, RoundsFindPlantedClustersFromOneAndFromMany) {
  const Planted planted;
  const DpModel model(planted.problem.data, planted.problem.options());
  DpSearch search(model);
  const double a = planted.problem.concentration;
  Labels together(Planted::kRows, 0), apart;
  for (std::size_t i = 0; i < Planted::kRows; ++i)
    apart.push_back(static_cast<std::uint32_t>(i * 7 % 20));
  for (Labels labels : {together, apart}) {
    core::Rng rng(3, 3);
    const double before = search.evidence(labels, a);
    for (int round = 0; round < 6; ++round) search.round(a, rng, labels);
    EXPECT_GT(search.evidence(labels, a), before + 10);
    EXPECT_LT(disagreement(labels, planted.truth), 0.05 * Planted::kRows * Planted::kRows / 2);
  }
}

// Where the evidence decides: clusters that the data do not tell apart are one.
TEST(DpSearch, PrefersTheMergerWhereThereIsNothingToTell) {
  const Planted planted;
  const DpModel model(planted.problem.data, planted.problem.options());
  DpSearch search(model);
  Labels halves = planted.truth;
  for (std::size_t i = 0; i < halves.size(); ++i) {
    if (halves[i] == 0 && i % 2 == 0) halves[i] = 3;
  }
  EXPECT_GT(search.evidence(planted.truth, 1), search.evidence(halves, 1) + 3);
  // While the joint of one partition does not see that the halves can be had in many ways.
  Labels mixed = planted.truth;
  mixed[0] = 1;
  EXPECT_GT(search.evidence(planted.truth, 1), search.evidence(mixed, 1));
}

TEST(DpSearch, OneRowOrOneClusterIsNoTrouble) {
  const Small one({test::level_block(families::bernoulli_family.name, {{1, 0}}, {2, 2})});
  const DpModel model(one.data, one.options());
  DpSearch search(model);
  Labels labels = {0};
  core::Rng rng(1, 1);
  search.round(1, rng, labels);
  EXPECT_EQ(labels, Labels{0});
}

// The chain draws the posterior after it, whatever it left.
TEST(DpSearch, DrawsAfterItAreThePosterior) {
  const Small problem = equal_rows();
  DpOptions options = problem.options();
  options.search_rounds = 8;
  const DpModel model(problem.data, options);
  DpChain chain(model, 0);
  chain.start(7);
  for (int i = 0; i < 40; ++i) chain.sweep();
  EXPECT_FALSE(chain.searching());
  EXPECT_GT(visits_p(problem.exact(), 3000,
                     [&]() -> const Labels& {
                       for (int i = 0; i < 3; ++i) chain.sweep();
                       return chain.labels();
                     }),
            kImpossible);
}

}  // namespace
}  // namespace medley::samplers
