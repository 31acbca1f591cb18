// SPDX-License-Identifier: Apache-2.0
// Columns drawn from known distributions: the family they came from must rank first.
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <string>

#include "core/rng.hpp"
#include "core/temporary_folder.hpp"
#include "medley/evaluate.hpp"

namespace medley {
namespace {

double poisson(double rate, core::Rng& rng) {
  double count = -1;
  for (double time = 0; time < rate; ++count) time -= std::log(rng.uniform());
  return count;
}

std::vector<ColumnSuggestion> suggestions() {
  core::Rng rng(11, 1);
  std::string csv = "height,visits,income,code\n";
  for (int i = 0; i < 600; ++i) {
    csv += std::to_string(170 + 9 * rng.normal()) + ',' +
           std::to_string(static_cast<int>(poisson(4, rng))) + ',' +
           std::to_string(std::exp(7 + 1.2 * rng.normal())) + ',' +
           (rng.uniform() < 0.5   ? "1"
            : rng.uniform() < 0.5 ? "7"
                                  : "4") +
           '\n';
  }
  const testing::TemporaryFolder folder;
  const std::string path = folder / "drawn.csv";
  std::ofstream(path) << csv;
  return suggest_families({parse_source(path)}, {}, 1);
}

TEST(SuggestFamilies, PutTheTrueFamilyFirst) {
  const auto columns = suggestions();
  ASSERT_EQ(columns.size(), 4U);
  EXPECT_EQ(columns[0].ranked.front().family, "gaussian");
  EXPECT_FALSE(columns[0].whole);
  EXPECT_EQ(columns[1].ranked.front().family, "poisson");
  EXPECT_TRUE(columns[1].whole);
  EXPECT_EQ(columns[2].ranked.front().family, "lognormal");
  EXPECT_EQ(columns[3].ranked.front().family, "categorical");
}

TEST(SuggestFamilies, AreNoWorseThanTheTruthByMuch) {
  const auto columns = suggestions();
  // A normal density with standard deviation 9: its negative entropy is the best there is.
  const double entropy = 0.5 * std::log(2 * 3.14159265358979 * std::exp(1.0) * 81);
  EXPECT_NEAR(columns[0].ranked.front().nats, -entropy, 0.15);
  for (const ColumnSuggestion& column : columns) {
    EXPECT_EQ(column.ranked.front().behind, 0);
    for (std::size_t i = 1; i < column.ranked.size(); ++i)
      EXPECT_GE(column.ranked[i].behind, column.ranked[i - 1].behind);
  }
}

}  // namespace
}  // namespace medley
