// SPDX-License-Identifier: Apache-2.0
// The one-standard-error rule, information criteria and advice on numbers made by hand.
#include "choose/verdicts.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace medley::choose {
namespace {

const std::vector<double> kOnes(4, 1.0);

// Candidates K = 2, 3, ... with these scores of four rows.
Selection held_out(const std::vector<std::vector<double>>& rows) {
  Selection out;
  std::vector<RowScores> scores;
  for (std::size_t c = 0; c < rows.size(); ++c) {
    out.candidates.emplace_back().components = c + 2;
    scores.push_back({"exact", rows[c]});
  }
  add_cv(scores, kOnes, out);
  judge(out);
  return out;
}

TEST(Verdicts, TheModestChoiceIsTheSmallestWithinOneError) {
  // Behind the last: K = 2 by 3 on every row (surely), K = 3 by 1.5 (error 0.87), K = 4 by 1 (error
  // 1), K = 5 by 0.5 (error 0.5).
  const Selection found =
      held_out({{-3, -3, -3, -3}, {-3, -3, 0, 0}, {-4, 0, 0, 0}, {-2, 0, 0, 0}, {0, 0, 0, 0}});
  ASSERT_EQ(found.verdicts.size(), 1U);
  EXPECT_EQ(found.candidates[found.verdicts[0].best].components, 6U);
  EXPECT_EQ(found.candidates[found.verdicts[0].modest].components, 4U);
  EXPECT_DOUBLE_EQ(found.candidates[2].scores[0].value, -1);
}

TEST(Verdicts, TheErrorOfTheDifferenceDecidesNotThatOfTheScore) {
  // Rows differ by hundreds, so that each mean is known to +- 40 only; but the first is behind by
  // about 1 on each of them.
  const Selection found = held_out({{-101.1, -0.9, -201, -51}, {-100, 0, -200, -50}});
  EXPECT_GT(found.candidates[0].scores[0].error, 40);
  EXPECT_EQ(found.verdicts[0].modest, 1U);
}

TEST(Verdicts, OfSeveralSmoothingsTheBestOfTheSmallestSize) {
  Selection found;
  const std::vector<std::vector<double>> rows = {{-4, 0, 0, 0}, {0, 0, 0, 0}, {-2, 0, 0, 0}};
  std::vector<RowScores> scores;
  for (std::size_t c = 0; c < 3; ++c) {
    found.candidates.emplace_back().components = c == 1 ? 5 : 3;
    scores.push_back({"exact", rows[c]});
  }
  add_cv(scores, kOnes, found);
  judge(found);
  EXPECT_EQ(found.verdicts[0].best, 1U);
  EXPECT_EQ(found.verdicts[0].modest, 2U);
}

TEST(Verdicts, InformationCriteriaByHand) {
  Selection found;
  found.candidates.resize(2);
  found.candidates[0].components = 1;
  found.candidates[0].parameters = 3;
  found.candidates[1].components = 2;
  found.candidates[1].parameters = 7;
  // two rows, the second counts three times: log-likelihoods -1 - 6 = -7 and -0.5 - 3 = -3.5
  const std::vector<RowScores> rows = {{"exact", {-1, -2}}, {"exact", {-0.5, -1}}};
  const std::vector<double> weights = {1, 3};
  add_information("aic", "likelihood", rows, weights, found);
  add_information("bic", "likelihood", rows, weights, found);
  EXPECT_DOUBLE_EQ(found.candidates[0].scores[0].value, 14 + 2 * 3);
  EXPECT_DOUBLE_EQ(found.candidates[1].scores[0].value, 7 + 2 * 7);
  EXPECT_DOUBLE_EQ(found.candidates[1].scores[1].value, 7 + 7 * std::log(4.0));
  EXPECT_DOUBLE_EQ(*found.candidates[1].scores[0].behind, 1);
  // differences 0.5 and 1, mean 0.875: 2 sqrt(2 (1 0.375^2 + 9 0.125^2))
  EXPECT_NEAR(found.candidates[1].scores[0].behind_error,
              2 * std::sqrt(2 * (0.140625 + 9 * 0.015625)), 1e-12);
  judge(found);
  EXPECT_EQ(found.verdicts[0].best, 0U);
}

TEST(Verdicts, AdviceLeadsWithOneSize) {
  Selection found = held_out({{-3, -3, -3, -3}, {0, 0, 0, 0}, {-3, -3, -3, -4}});
  EXPECT_NE(advise(found).find("K = 3: all criteria"), std::string::npos);
  found.clusters = SelectionClusters{{{7, 1.0}}, 7, 7, 7, true};
  EXPECT_EQ(advise(found).find("K = 3, by cv. dp says 7: it rewards rows that belong to one"), 0U);
  found.clusters->mixed = false;
  EXPECT_NE(advise(found).find("K = 3: all criteria"), std::string::npos);
  found.candidates[1].restarts = 5;
  found.candidates[1].again = 1;
  EXPECT_NE(advise(found).find("more `restarts`"), std::string::npos);
}

TEST(Verdicts, ABoundIsWarnedAbout) {
  Selection found;
  found.candidates.emplace_back().components = 2;
  add_cv({{"bound", {1, 2, 3, 4}}}, kOnes, found);
  judge(found);
  EXPECT_TRUE(found.verdicts[0].bound);
  EXPECT_EQ(selection_warnings(found).size(), 1U);
}

}  // namespace
}  // namespace medley::choose
