// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "medley/report.hpp"
#include "report/hand_made.hpp"
#include "support/toy.hpp"

namespace medley {
namespace {

using testing::HasSubstr;
using testing::Not;

LabelScores some_scores() {
  const ClassProbabilities predicted{
      "kind", {"oak", "elm\x1b"}, {0.9, 0.1, 0.3, 0.7, 0.6, 0.4, 0.2, 0.8}, "plug-in"};
  return score_classes(predicted,
                       {"kind", {"oak", "elm\x1b"}, {0, 1, kUnknownClass, kMissingClass}});
}

TEST(DescribeLabel, ScoresBesideTheirBaseline) {
  const std::string text = describe(some_scores());
  EXPECT_THAT(text, HasSubstr("Class \"kind\" of 3 rows, predicted (plug-in probabilities)"));
  EXPECT_THAT(text, HasSubstr("0.6667  +- 0.3333; always \"oak\": 0.3333"));
  EXPECT_THAT(text, HasSubstr("the classes' shares in these rows: 0.6931"));
  EXPECT_THAT(text, HasSubstr("1 row without a label left out"));
  EXPECT_THAT(text, HasSubstr("1 row of classes that the model does not know"));
  EXPECT_THAT(text, Not(HasSubstr("\x1b")));
}

TEST(DescribeLabel, TheMatrixHasARowForUnknownClasses) {
  EXPECT_THAT(describe(some_scores()), testing::ContainsRegex("\\(unknown class\\) +1 +0\n"));
  LabelScores known = some_scores();
  known.unknown = 0;
  EXPECT_THAT(describe(known), Not(HasSubstr("unknown class")));
}

TEST(DescribeLabel, LongNamesWidenTheMatrix) {
  LabelScores named = some_scores();
  named.classes = {"republican", "a class with a very long name"};
  EXPECT_THAT(describe(named), HasSubstr("  republican a class with a…\n"));
}

TEST(DescribeLabel, ALargeMatrixIsLeftToPrograms) {
  LabelScores many;
  for (int h = 0; h < 21; ++h) many.classes.push_back("c" + std::to_string(h));
  many.confusion.assign(22U * 21U, 0.0);
  EXPECT_THAT(describe(many), HasSubstr("21 classes: the confusion matrix is in `json`"));
  EXPECT_THAT(describe(many), Not(HasSubstr("true \\ predicted")));
}

TEST(DescribeLabel, CalibrationShowsBinsThatHoldRows) {
  const std::string text = describe(some_scores());
  EXPECT_THAT(text, testing::ContainsRegex("0.7 to 0.8 +1 +0.700 +1.000\n"));
  EXPECT_THAT(text, Not(HasSubstr("0.5 to 0.6")));
}

TEST(DescribeLabel, AnEvaluationBeginsWithIt) {
  Evaluation scores;
  scores.label = some_scores();
  EXPECT_EQ(describe(scores).find("Class \"kind\""), 0U);
  scores.label.reset();
  scores.label_note = "Column \"kind\" is missing in every row.";
  EXPECT_EQ(describe(scores).find("Column \"kind\" is missing"), 0U);
}

TEST(DescribeDrivers, APhraseForEveryKindOfCell) {
  Dataset data = test::dataset({test::level_block("categorical", {{1}}, {2}),
                                test::token_block("words", {{3, 1}}),
                                test::real_block("gaussian", {{5.1}}, 1)});
  EXPECT_EQ(describe(CellDriver{0, 0, 1, 0, 1, 2.345, 3}, data), "q0 = l1: +2.35 (alone +3.00)");
  data.blocks[0].features[0].labels = {"never", "often"};
  EXPECT_EQ(describe(CellDriver{0, 0, 1, 0, 1, -0.5, 0.1}, data),
            "q0 = often: -0.50 (alone +0.10)");
  EXPECT_EQ(describe(CellDriver{1, 0, 0, 0, 3, 1, 2}, data), "w0 (3 times): +1.00 (alone +2.00)");
  EXPECT_EQ(describe(CellDriver{1, 0, 1, 0, 1, 1, 0}, data), "w1: +1.00 (alone +0.00)");
  EXPECT_EQ(describe(CellDriver{2, 0, 0, 5.1, 1, 0.25, -1}, data), "x0 = 5.1: +0.25 (alone -1.00)");
}

TEST(DescribeDrivers, AProfileWithItsShares) {
  std::vector<model::ModelBlock> blocks;
  blocks.push_back(hand_made::survey());
  const Model model = hand_made::model(std::move(blocks), {0.6, 0.4}).renamed(1, "Frail");
  EXPECT_EQ(describe(ProfileDriver{1, 0.71, 0.95, 0.43}, model, "yes"),
            "Frail (71 % of the row, 95 % yes): +0.43");
}

}  // namespace
}  // namespace medley
