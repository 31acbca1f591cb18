// SPDX-License-Identifier: Apache-2.0
// Nearest rows against every pair computed from the memberships that transform gives.
#include "medley/similar.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "medley/evaluate.hpp"
#include "medley/fit.hpp"
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

}  // namespace
}  // namespace medley
