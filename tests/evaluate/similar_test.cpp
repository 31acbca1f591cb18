// SPDX-License-Identifier: Apache-2.0
// Nearest rows against every pair computed from the memberships that transform gives.
#include "medley/predict.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "medley/evaluate.hpp"
#include "medley/fit.hpp"
#include "support/all_partitions.hpp"
#include "support/as_draws.hpp"
#include "support/files.hpp"

namespace medley {
namespace {

Model fitted(const Dataset& data, std::size_t components) {
  FitOptions options;
  options.components = components;
  options.inference = "standard";
  options.threads = 1;
  return fit(data, options);
}

TEST(Similar, RowsAreThoseOfAllPairs) {
  const Dataset data =
      test::read_file("c.ldac", test::corpus_ldac(80) + "0\n" + test::corpus_ldac(40, 2) + "0\n");
  const Model model = fitted(data, 4);
  const Memberships memberships = transform(model, data, 1);
  const std::vector<std::size_t> asked = {5, 100, 80};
  const Similarity found = similar(model, data, asked, {7, 2});
  EXPECT_EQ(found.empty_rows, 2U);
  ASSERT_EQ(found.of_row.size(), 3U);
  for (std::size_t i = 0; i < 2; ++i) {
    std::vector<std::pair<double, std::size_t>> all;  // -similarity, row
    for (std::size_t row = 0; row < data.rows; ++row) {
      if (row == asked[i] || row == 80 || row == 121) continue;
      double sum = 0;
      for (std::size_t k = 0; k < 4; ++k)
        sum += std::sqrt(memberships.row(asked[i])[k] * memberships.row(row)[k]);
      all.emplace_back(-sum, row);
    }
    std::ranges::sort(all);
    ASSERT_EQ(found.of_row[i].nearest.size(), 7U);
    for (std::size_t n = 0; n < 7; ++n) {
      const SimilarRow& row = found.of_row[i].nearest[n];
      EXPECT_NEAR(row.similarity, -all[n].first, 1e-12);
      const auto place = std::ranges::find(all, row.row, &std::pair<double, std::size_t>::second);
      ASSERT_NE(place, all.end());
      EXPECT_NEAR(-place->first, row.similarity, 1e-12);
      ASSERT_FALSE(row.shared.empty());
      const std::size_t k = row.shared[0].component;
      EXPECT_NEAR(row.shared[0].part,
                  std::sqrt(memberships.row(asked[i])[k] * memberships.row(row.row)[k]), 1e-12);
      for (std::size_t other = 0; other < 4; ++other) {
        EXPECT_LE(std::sqrt(memberships.row(asked[i])[other] * memberships.row(row.row)[other]),
                  row.shared[0].part + 1e-12);
      }
    }
  }
  EXPECT_TRUE(found.of_row[2].empty);
  EXPECT_TRUE(found.of_row[2].nearest.empty());
}

TEST(Similar, AnEqualRowIsNearestWithSimilarityOne) {
  const Dataset data =
      test::read_file("c.ldac", "2 0:5 1:2\n2 3:4 5:1\n2 0:5 1:2\n1 2:3\n2 3:1 4:9\n");
  const std::vector<std::size_t> asked = {0};
  const Similarity found = similar(fitted(data, 2), data, asked, {1, 1});
  ASSERT_EQ(found.of_row[0].nearest.size(), 1U);
  EXPECT_EQ(found.of_row[0].nearest[0].row, 2U);
  EXPECT_NEAR(found.of_row[0].nearest[0].similarity, 1.0, 1e-12);
}

// Clusters of two draws, of two and of three components.
TEST(Similar, OfASampledMixtureIsTheProbabilityOfSharingACluster) {
  const Dataset data = test::survey(40);
  std::vector<Model> each;
  for (const std::size_t components : {2U, 3U}) {
    FitOptions options;
    options.components = components;
    options.model = "mnb";
    options.threads = 1;
    options.max_iterations = 3;
    each.push_back(fit(data, options));
  }
  const Model model = test::as_draws(each, {{}, {1, 0, 0.5, 0.5, 0, 1}});
  const std::vector<std::size_t> asked = {4};
  const Similarity found = similar(model, data, asked, {39, 1});
  EXPECT_NE(found.metric.find("one cluster"), std::string::npos);
  for (const SimilarRow& row : found.of_row[0].nearest) {
    double expected = 0;
    for (const Model& one : each) {
      const Memberships shares = transform(one, data, 1);
      for (std::size_t k = 0; k < one.components(); ++k)
        expected += shares.row(4)[k] * shares.row(row.row)[k] / 2;
    }
    EXPECT_NEAR(row.similarity, expected, 1e-12);
  }
}

// log of the probability of two columns of yes and no, in rows that are one cluster, each column
// with a uniform prior: B(1 + yes, 1 + no).
double log_marginal(const std::vector<std::vector<int>>& answers,
                    const std::vector<std::size_t>& rows) {
  double sum = 0;
  for (std::size_t c = 0; c < answers[0].size(); ++c) {
    double yes = 0;
    for (const std::size_t row : rows) yes += answers[row][c];
    const double no = static_cast<double>(rows.size()) - yes;
    sum += std::lgamma(1 + yes) + std::lgamma(1 + no) - std::lgamma(2 + yes + no);
  }
  return sum;
}

// P(row 0 and row j are in one cluster) by all 203 partitions of six rows, concentration 1.
std::vector<double> exactly_together(const std::vector<std::vector<int>>& answers) {
  std::vector<double> out(answers.size(), 0.0);
  double all = 0;
  for (const auto& labels : test::all_partitions(answers.size())) {
    double log_joint = 0;
    for (std::uint32_t k = 0; k <= *std::ranges::max_element(labels); ++k) {
      std::vector<std::size_t> rows;
      for (std::size_t i = 0; i < labels.size(); ++i) {
        if (labels[i] == k) rows.push_back(i);
      }
      log_joint += std::lgamma(static_cast<double>(rows.size())) + log_marginal(answers, rows);
    }
    all += std::exp(log_joint);
    for (std::size_t i = 0; i < labels.size(); ++i)
      out[i] += labels[i] == labels[0] ? std::exp(log_joint) : 0.0;
  }
  for (double& p : out) p /= all;
  return out;
}

TEST(Similar, OfADirichletProcessMixtureIsThatOfAllPartitions) {
  const std::vector<std::vector<int>> answers = {{1, 1, 0, 1}, {1, 1, 0, 1}, {0, 0, 1, 0},
                                                 {0, 0, 1, 0}, {1, 0, 1, 1}, {0, 1, 0, 0}};
  std::string text = "a,b,c,d\n";
  for (const auto& row : answers) {
    for (std::size_t c = 0; c < 4; ++c)
      text += std::string(row[c] == 1 ? "yes" : "no") + (c < 3 ? "," : "\n");
  }
  const Dataset data = test::read_file("six.csv", text);
  ASSERT_EQ(data.blocks.size(), 1U);
  FitOptions options;
  options.model = "dp-mixture";
  options.threads = 1;
  options.chains.sweeps = 4000;
  options.chains.draws = 1000;
  const std::vector<std::size_t> asked = {0};
  const Similarity found = similar(fit(data, options), data, asked, {5, 1});
  const std::vector<double> expected = exactly_together(answers);
  ASSERT_EQ(found.of_row[0].nearest.size(), 5U);
  for (const SimilarRow& row : found.of_row[0].nearest)
    EXPECT_NEAR(row.similarity, expected[row.row], 0.02) << row.row;
}

}  // namespace
}  // namespace medley
