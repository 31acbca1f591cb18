// SPDX-License-Identifier: Apache-2.0
// Scores of predicted classes. The numbers were computed outside, from the usual definitions
// (scikit-learn's accuracy_score, log_loss, f1_score(average="macro") with sample_weight).
#include <gtest/gtest.h>

#include <cmath>

#include "medley/error.hpp"
#include "medley/evaluate.hpp"
#include "support/labelled.hpp"

namespace medley {
namespace {

const ClassProbabilities kPredicted = {
    "kind",
    {"a", "b", "c"},
    {0.7,  0.2,  0.1,  0.1, 0.6, 0.3,  0.2,  0.3, 0.5,  0.4, 0.35,
     0.25, 0.05, 0.15, 0.8, 0.3, 0.45, 0.25, 0.9, 0.05, 0.05},
    "exact"};

KeptColumn truth(std::vector<std::int32_t> code) {
  return {"kind", {"a", "b", "c"}, std::move(code)};
}

TEST(LabelScores, AsComputedByHand) {
  const LabelScores s = score_classes(kPredicted, truth({0, 1, 2, 1, 2, 0, 0}));
  EXPECT_EQ(s.rows, 7U);
  EXPECT_EQ(s.unknown + s.unlabelled, 0U);
  EXPECT_EQ(s.method, "exact");
  EXPECT_NEAR(s.accuracy, 5.0 / 7, 1e-12);
  EXPECT_NEAR(s.accuracy_error, 0.18442777839082938, 1e-12);
  EXPECT_NEAR(s.log_loss, 0.5918495348659025, 1e-12);
  EXPECT_NEAR(s.log_loss_error, 0.1565386483083858, 1e-12);
  EXPECT_NEAR(s.brier, 0.3228571428571429, 1e-12);
  EXPECT_NEAR(s.macro_f1, (2.0 / 3 + 0.5 + 1) / 3, 1e-12);
  EXPECT_EQ(s.baseline_class, "a");
  EXPECT_NEAR(s.baseline_accuracy, 3.0 / 7, 1e-12);
  EXPECT_NEAR(s.baseline_log_loss, 1.0789922078775833, 1e-12);
  EXPECT_EQ(s.confusion, (std::vector<double>{2, 1, 0, 1, 1, 0, 0, 0, 2, 0, 0, 0}));
}

TEST(LabelScores, CalibrationByTenths) {
  const LabelScores s = score_classes(kPredicted, truth({0, 1, 2, 1, 2, 0, 0}));
  ASSERT_EQ(s.calibration.size(), 10U);
  EXPECT_EQ(s.calibration[3].rows, 0U);
  EXPECT_EQ(s.calibration[4].rows, 2U);
  EXPECT_NEAR(s.calibration[4].low, 0.4, 1e-15);
  EXPECT_NEAR(s.calibration[4].high, 0.5, 1e-15);
  EXPECT_NEAR(s.calibration[4].confidence, 0.425, 1e-12);
  EXPECT_EQ(s.calibration[4].accuracy, 0);
  EXPECT_NEAR(s.calibration[9].confidence, 0.9, 1e-12);
  EXPECT_EQ(s.calibration[9].accuracy, 1);
  EXPECT_NEAR(s.calibration_error, 0.33571428571428574, 1e-12);
}

TEST(LabelScores, CertaintyIsInTheLastBin) {
  const LabelScores s = score_classes({"kind", {"a", "b"}, {1, 0}, "exact"}, truth({0}));
  EXPECT_EQ(s.calibration[9].rows, 1U);
  EXPECT_EQ(s.calibration_error, 0);
  EXPECT_EQ(s.accuracy_error, 0);
}

TEST(LabelScores, RowsCountByTheirWeight) {
  const std::vector<double> weight = {1, 2, 1, 0.5, 3, 1, 2};
  const LabelScores s = score_classes(kPredicted, truth({0, 1, 2, 1, 2, 0, 0}), weight);
  EXPECT_NEAR(s.accuracy, 0.8571428571428571, 1e-12);
  EXPECT_NEAR(s.accuracy_error, 0.11756445711397479, 1e-12);
  EXPECT_NEAR(s.log_loss, 0.4457627546537348, 1e-12);
  EXPECT_NEAR(s.log_loss_error, 0.13260520768577558, 1e-12);
  EXPECT_NEAR(s.brier, 0.22309523809523807, 1e-12);
  EXPECT_NEAR(s.macro_f1, 0.8424242424242424, 1e-12);
  EXPECT_NEAR(s.calibration_error, 0.29047619047619044, 1e-12);
  EXPECT_NEAR(s.calibration[4].confidence, 0.43333333333333335, 1e-12);
  EXPECT_NEAR(s.baseline_accuracy, 4.0 / 10.5, 1e-12);
  EXPECT_NEAR(s.baseline_log_loss, 1.0769865220544765, 1e-12);
}

TEST(LabelScores, UnknownClassesAreWrongAndMissingOnesLeftOut) {
  const LabelScores s =
      score_classes(kPredicted, truth({0, 1, 2, kUnknownClass, 2, kUnknownClass, 0}));
  EXPECT_EQ(s.rows, 7U);
  EXPECT_EQ(s.unknown, 2U);
  EXPECT_NEAR(s.accuracy, 5.0 / 7, 1e-12);
  EXPECT_NEAR(s.log_loss, 0.37783036304734086, 1e-12);
  EXPECT_NEAR(s.log_loss_error, 0.10385755003806563, 1e-12);
  EXPECT_NEAR(s.brier, 0.5085714285714286, 1e-12);
  EXPECT_NEAR(s.macro_f1, (0.8 + 2.0 / 3 + 1 + 0) / 4, 1e-12);
  EXPECT_NEAR(s.baseline_accuracy, 2.0 / 7, 1e-12);
  EXPECT_NEAR(s.baseline_log_loss, 1.0549201679861442, 1e-12);
  EXPECT_EQ(s.confusion, (std::vector<double>{2, 0, 0, 0, 1, 0, 0, 0, 2, 1, 1, 0}));

  const LabelScores partly = score_classes(
      kPredicted, truth({0, kMissingClass, 2, kMissingClass, 2, kMissingClass, kMissingClass}));
  EXPECT_EQ(partly.rows, 3U);
  EXPECT_EQ(partly.unlabelled, 4U);
  EXPECT_EQ(partly.accuracy, 1);
  EXPECT_NEAR(partly.log_loss, -(std::log(0.7) + std::log(0.5) + std::log(0.8)) / 3, 1e-12);
}

TEST(LabelScores, ClassesGoByName) {
  const KeptColumn other = {"kind", {"b", "a", "new"}, {1, 0, 2, 0, 2, 1, 1}};
  const LabelScores s = score_classes(kPredicted, other);
  EXPECT_EQ(s.unknown, 2U);
  EXPECT_NEAR(s.accuracy, 3.0 / 7, 1e-12);
  EXPECT_EQ(s.confusion, (std::vector<double>{2, 1, 0, 1, 1, 0, 0, 0, 0, 0, 0, 2}));
}

TEST(LabelScores, NothingToScoreIsNoNaN) {
  const LabelScores none = score_classes(kPredicted, truth(std::vector<std::int32_t>(7, -1)));
  EXPECT_EQ(none.rows, 0U);
  EXPECT_EQ(none.accuracy + none.log_loss + none.brier + none.macro_f1 + none.calibration_error, 0);
  const LabelScores strange =
      score_classes(kPredicted, truth(std::vector<std::int32_t>(7, kUnknownClass)));
  EXPECT_EQ(strange.unknown, 7U);
  EXPECT_EQ(strange.accuracy + strange.log_loss + strange.macro_f1 + strange.baseline_accuracy, 0);
  const LabelScores certain =
      score_classes({"kind", {"a", "b"}, {1, 0, 0.5, 0.5}, "exact"}, truth({1, 0}));
  EXPECT_TRUE(std::isfinite(certain.log_loss) && certain.log_loss > 300);
  EXPECT_THROW((void)score_classes(kPredicted, truth({0, 1})), InputError);
}

// evaluate() on a model with a label: two answers, each typical of a class.
struct Labelled {
  Labelled()
      : data(test::dataset({test::level_block("categorical", {{0}, {1}, {1}, {0}}, {2})})),
        parts(test::hand_parts("single", {0.5, 0.5}, data)) {
    test::set_table(*parts->blocks[0].family, {{0.9, 0.1}, {0.1, 0.9}});
    test::set_head(*parts, {{0.9, 0.2}, {0.1, 0.8}});
    const auto marginal = parts->blocks[0].marginal.get();
    test::set_table(*marginal, {{0.5}, {0.5}});
    data.schema = parts->schema;
  }
  [[nodiscard]] Evaluation scored() const { return evaluate(Model(parts), data, {}); }
  void label(std::vector<std::int32_t> code) {
    data.kept = {{"kind", {"c0", "c1"}, std::move(code)}};
  }
  Dataset data;
  std::shared_ptr<model::Parts> parts;
};

TEST(LabelScores, EvaluateScoresTheLabelWhereThereIsOne) {
  Labelled given;
  given.label({0, 1, 0, kMissingClass});
  const Evaluation scores = given.scored();
  ASSERT_TRUE(scores.label.has_value());
  EXPECT_EQ(scores.label_note, "");
  EXPECT_EQ(scores.label->rows, 3U);
  EXPECT_NEAR(scores.label->accuracy, 2.0 / 3, 1e-12);
  const double p0 = 0.9 * 0.9 + 0.1 * 0.2, p1 = 0.9 * 0.8 + 0.1 * 0.1;
  EXPECT_NEAR(scores.label->log_loss, -(std::log(p0) + std::log(p1) + std::log(1 - p1)) / 3, 1e-12);
}

TEST(LabelScores, EvaluateSaysWhyThereIsNone) {
  Labelled given;
  EXPECT_NE(given.scored().label_note.find("no column \"kind\""), std::string::npos);
  given.label(std::vector<std::int32_t>(4, kMissingClass));
  EXPECT_FALSE(given.scored().label.has_value());
  EXPECT_NE(given.scored().label_note.find("missing in every row"), std::string::npos);
  given.parts->head.reset();
  EXPECT_EQ(given.scored().label_note, "");
}

}  // namespace
}  // namespace medley
