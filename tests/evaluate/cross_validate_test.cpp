// SPDX-License-Identifier: Apache-2.0
// Cross-validation: the folds, and its scores against fits and evaluations done by hand.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cmath>

#include "medley/error.hpp"
#include "medley/evaluate.hpp"
#include "medley/fit.hpp"
#include "medley/simulate.hpp"
#include "support/files.hpp"

namespace medley {
namespace {

Dataset drawn(std::size_t rows) {
  PlantOptions options;
  options.components = 2;
  options.columns = {{"categorical", 5, 3}};
  options.separation = 2;
  SimulateOptions drawing;
  drawing.rows = rows;
  drawing.missing = 0.1;
  return simulate(plant(options), drawing).data;
}

FitOptions fitting() {
  FitOptions options;
  options.components = 2;
  options.model = "mnb";
  options.seed = 3;
  return options;
}

TEST(CrossValidate, FoldsAreBalancedAndDependOnTheSeedAlone) {
  const std::vector<std::size_t> fold = fold_of_rows(103, 10, 5);
  for (std::size_t f = 0; f < 10; ++f) {
    const auto size = std::ranges::count(fold, f);
    EXPECT_TRUE(size == 10 || size == 11) << size;
  }
  EXPECT_EQ(fold, fold_of_rows(103, 10, 5));
  EXPECT_NE(fold, fold_of_rows(103, 10, 6));
  EXPECT_FALSE(std::ranges::is_sorted(fold));
}

TEST(CrossValidate, StratifiedFoldsShareEveryClassToWithinARow) {
  KeptColumn label{"kind", {"a", "b", "c"}, {}};
  for (int row = 0; row < 103; ++row)
    label.code.push_back(row % 10 == 0 ? 2 : row % 3 == 0 ? kMissingClass : row % 2);
  const std::vector<std::size_t> fold = fold_of_rows(label, 5, 8);
  for (std::int32_t code = kMissingClass; code < 3; ++code) {
    const auto rows = static_cast<double>(std::ranges::count(label.code, code));
    for (std::size_t f = 0; f < 5; ++f) {
      std::size_t here = 0;
      for (std::size_t row = 0; row < fold.size(); ++row)
        here += fold[row] == f && label.code[row] == code ? 1 : 0;
      EXPECT_LT(std::abs(static_cast<double>(here) - rows / 5), 1.0) << code << " in " << f;
    }
  }
  for (std::size_t f = 0; f < 5; ++f) {
    const auto size = std::ranges::count(fold, f);
    EXPECT_TRUE(size == 20 || size == 21) << size;
  }
  EXPECT_EQ(fold, fold_of_rows(label, 5, 8));
  EXPECT_NE(fold, fold_of_rows(label, 5, 9));
}

CrossValidateOptions in(std::size_t folds) {
  CrossValidateOptions options;
  options.folds = folds;
  return options;
}

constexpr std::size_t kPeople = 90;

// A survey with a word in it; every line is a row.
std::vector<std::string> people() {
  std::string lines = test::survey_csv(kPeople);
  std::vector<std::string> out;
  for (std::size_t at = 0; at < lines.size();) {
    const std::size_t end = lines.find('\n', at);
    const std::string extra = out.empty() ? ",t" : "," + std::string(1, "abcdefgh"[out.size() % 7]);
    out.push_back(lines.substr(at, end - at) + extra + " x" +
                  (out.size() % 3 == 0 ? " z\n" : "\n"));
    at = end + 1;
  }
  out[0] = "a,b,c,d,e,kind,t\n";
  return out;
}

ReadOptions reading(bool every_word) {
  ReadOptions options;
  for (const char* name : {"a", "b", "c", "d", "e"}) options.family[name] = "categorical";
  options.family["t"] = "text";
  options.keep = {"kind"};
  options.words.min_count = 9;
  if (every_word) options.words = options.words.unselected();
  return options;
}

struct ByHand {
  Evaluation train, test;
};

// The fold from files: one of the training rows is fitted, one of the test rows read by its schema.
ByHand by_hand(std::size_t fold, const std::vector<std::size_t>& fold_of) {
  const std::vector<std::string> lines = people();
  std::string inside = lines[0], outside = lines[0];
  for (std::size_t row = 0; row < kPeople; ++row)
    (fold_of[row] == fold ? outside : inside) += lines[row + 1];
  const Dataset rest = test::read_file("train.csv", inside, reading(false));
  FitOptions options = fitting();
  options.model = "mmnb";
  const Model model = fit(rest, options);
  ReadOptions by_schema;
  by_schema.schema = model.schema();
  by_schema.keep = {"kind"};
  EvaluateOptions scoring;
  scoring.truth = {"kind"};
  const Dataset held = test::read_file("test.csv", outside, by_schema);
  return {evaluate(model, rest, scoring), evaluate(model, held, scoring)};
}

void expect_side(const FoldSide& side, const Evaluation& scores) {
  EXPECT_EQ(side.rows, scores.rows);
  EXPECT_EQ(side.estimator, scores.estimator);
  EXPECT_EQ(side.observations, scores.observations);
  EXPECT_NEAR(side.perplexity, scores.perplexity, 1e-9);
  EXPECT_NEAR(side.log_row_perplexity, scores.log_row_perplexity, 1e-9);
  EXPECT_NEAR(side.log_likelihood, scores.log_likelihood, 1e-7);
  EXPECT_NEAR(side.above_baseline, (scores.log_likelihood - scores.baseline) / scores.observations,
              1e-9);
  EXPECT_NEAR(side.mean_entropy, scores.mean_entropy, 1e-9);
  EXPECT_EQ(side.truth[0].nmi, scores.truth[0].nmi);
  EXPECT_EQ(side.truth[0].micro_precision, scores.truth[0].micro_precision);
}

// Over the folds every row is scored once on either side: of the training rows those that the next
// fold tests. What they are compared by is of all rows.
TEST(CrossValidate, DrawnScoresAreOfEveryRowOnceOnEitherSide) {
  std::string text;
  for (const std::string& line : people()) text += line;
  CrossValidateOptions options = in(3);
  options.words = reading(false).words;
  options.scoring.truth = {"kind"};
  FitOptions fits = fitting();
  fits.model = "mmnb";
  const Dataset data = test::read_file("all.csv", text, reading(true));
  options.scoring.estimator = "bound";
  const CrossValidation all = cross_validate(data, fits, options);
  options.scoring.estimator = "left-to-right";
  options.scoring.samples = 40;
  const CrossValidation drawn = cross_validate(data, fits, options);
  const std::vector<std::size_t> fold_of = fold_of_rows(kPeople, 3, 3);
  for (std::size_t f = 0; f < 3; ++f) {
    SCOPED_TRACE(f);
    const FoldSide& side = drawn.folds[f].train;
    const auto next = static_cast<std::size_t>(std::ranges::count(fold_of, (f + 1) % 3));
    EXPECT_EQ(side.estimator, Estimator::left_to_right);
    EXPECT_EQ(side.rows, next);
    EXPECT_EQ(drawn.folds[f].test.rows, all.folds[f].test.rows);
    EXPECT_EQ(all.folds[f].train.rows, kPeople - all.folds[f].test.rows);
    EXPECT_EQ(side.truth[0].rows, all.folds[f].train.truth[0].rows);
    EXPECT_EQ(side.truth[0].nmi, all.folds[f].train.truth[0].nmi);
    EXPECT_NEAR(std::log(side.perplexity), std::log(all.folds[f].train.perplexity), 0.2);
  }
}

TEST(CrossValidate, EveryFoldIsAFitToAFileOfItsTrainingRows) {
  std::string text;
  for (const std::string& line : people()) text += line;
  CrossValidateOptions options = in(3);
  options.words = reading(false).words;
  options.scoring.truth = {"kind"};
  FitOptions fits = fitting();
  fits.model = "mmnb";
  const CrossValidation all =
      cross_validate(test::read_file("all.csv", text, reading(true)), fits, options);
  const std::vector<std::size_t> fold_of = fold_of_rows(kPeople, 3, 3);
  ASSERT_EQ(all.folds.size(), 3U);
  double sum = 0, squares = 0, entropy = 0;
  std::size_t unseen = 0;
  for (std::size_t f = 0; f < 3; ++f) {
    SCOPED_TRACE(f);
    const ByHand hand = by_hand(f, fold_of);
    expect_side(all.folds[f].train, hand.train);
    expect_side(all.folds[f].test, hand.test);
    EXPECT_EQ(all.folds[f].train.truth[0].accuracy, hand.train.truth[0].accuracy);
    sum += hand.test.perplexity;
    squares += hand.test.perplexity * hand.test.perplexity;
    entropy += hand.train.mean_entropy;
    unseen += all.folds[f].test.unseen;
  }
  EXPECT_GT(unseen, 0U);  // the letters are near the least number of rows that a word needs
  EXPECT_NEAR(all.test.perplexity.mean, sum / 3, 1e-9);
  EXPECT_NEAR(all.test.perplexity.sd, std::sqrt((squares - sum * sum / 3) / 2), 1e-6);
  EXPECT_NEAR(all.train.mean_entropy.mean, entropy / 3, 1e-9);
}

TEST(CrossValidate, ThreadsDoNotMatter) {
  FitOptions one = fitting(), three = fitting();
  one.threads = 1;
  three.threads = 3;
  const CrossValidation a = cross_validate(drawn(60), one, in(4));
  const CrossValidation b = cross_validate(drawn(60), three, in(4));
  ASSERT_EQ(a.folds.size(), b.folds.size());
  for (std::size_t f = 0; f < a.folds.size(); ++f) {
    EXPECT_EQ(a.folds[f].train.log_likelihood, b.folds[f].train.log_likelihood);
    EXPECT_EQ(a.folds[f].test.log_likelihood, b.folds[f].test.log_likelihood);
    EXPECT_EQ(a.folds[f].test.entropy_quintile, b.folds[f].test.entropy_quintile);
  }
  EXPECT_EQ(a.test.above_baseline.sd, b.test.above_baseline.sd);
}

// One profile and one column, one fold per row: what is left is (n_a + s) / (n + 2 s).
TEST(CrossValidate, OneProfileLeaveOneOutByHand) {
  std::string text = "q,r\n";
  for (int i = 0; i < 10; ++i) text += std::string(i < 3 ? "a" : "b") + ",x\n";
  text += "c,y\n";  // alone with its level: unseen, and without it r never varies
  FitOptions options = fitting();
  options.components = 1;
  options.smoothing = 0.5;
  ReadOptions reading;
  reading.family["q"] = "categorical";
  const CrossValidation all =
      cross_validate(test::read_file("q.csv", text, reading), options, in(11));
  const double r = std::log(9.5 / 11);  // of the ten rows with x
  // c is among the training rows of every other fold: n = 10, three levels
  double expected = 3 * (std::log(2.5 / 11.5) + r) + 7 * (std::log(6.5 / 11.5) + r);
  EXPECT_NEAR(all.test.log_likelihood.mean * 11, expected, 1e-9);
  EXPECT_NEAR(all.test.unseen.mean * 11, 1, 1e-12);
  EXPECT_NEAR(all.test.above_baseline.mean, 0, 1e-12);  // one profile is the baseline
  const double a = std::exp(-(std::log(2.5 / 11.5) + r) / 2);
  const double b = std::exp(-(std::log(6.5 / 11.5) + r) / 2);
  EXPECT_NEAR(all.test.perplexity.mean, (3 * a + 7 * b) / 10, 1e-9);  // without the empty row
}

TEST(CrossValidate, ClassesAreLearntWhereAsked) {
  Dataset data = drawn(60);
  data.kept.push_back({"class", {"x", "y"}, {}});
  // Classes that have nothing to do with the answers: what was learnt elsewhere does worse.
  for (std::size_t i = 0; i < 60; ++i)
    data.kept[0].code.push_back(static_cast<std::int32_t>(i % 2));
  data.kept.push_back({"other", {"u"}, std::vector<std::int32_t>(60, 0)});
  CrossValidateOptions options = in(5);
  options.scoring.truth = {"class", "other"};
  const CrossValidation train = cross_validate(data, fitting(), options);
  options.match_on = MatchOn::test;
  const CrossValidation test = cross_validate(data, fitting(), options);
  ASSERT_EQ(train.test.truth.size(), 2U);
  EXPECT_EQ(train.test.truth[1].column, "other");
  EXPECT_EQ(train.test.truth[1].accuracy.mean, 1.0);
  for (std::size_t f = 0; f < 5; ++f) {
    const TruthScores &a = train.folds[f].test.truth[0], &b = test.folds[f].test.truth[0];
    EXPECT_DOUBLE_EQ(b.accuracy,
                     b.micro_precision);  // the majority of the very rows that are scored
    EXPECT_LE(a.accuracy, b.accuracy);
    EXPECT_DOUBLE_EQ(train.folds[f].train.truth[0].accuracy,
                     train.folds[f].train.truth[0].micro_precision);
    EXPECT_EQ(a.matched_on, MatchOn::train);
    EXPECT_EQ(b.matched_on, MatchOn::test);
  }
  EXPECT_LT(train.test.truth[0].accuracy.mean, test.test.truth[0].accuracy.mean - 0.05);
  EXPECT_LT(test.train.truth[0].accuracy.mean, train.train.truth[0].accuracy.mean);
  options.scoring.truth = {"nothing"};
  EXPECT_THROW((void)cross_validate(data, fitting(), options), InputError);
  options.scoring.truth = {"class"};
  options.scoring.match = Match::identity;
  FitOptions one = fitting();
  one.components = 1;
  EXPECT_THROW((void)cross_validate(data, one, options), InputError);
}

TEST(CrossValidate, StopsWhenAsked) {
  std::atomic<bool> stop{true};
  Hooks hooks;
  hooks.stop = &stop;
  const CrossValidation none = cross_validate(drawn(30), fitting(), in(3), hooks);
  EXPECT_TRUE(none.interrupted);
  EXPECT_TRUE(none.folds.empty());
  stop = false;
  FitOptions options = fitting();
  options.threads = 1;
  std::size_t last = 0;
  hooks.progress = [&](const Progress& step) {
    EXPECT_EQ(step.restarts, 3U);
    EXPECT_GE(step.restart, last);
    last = step.restart;
    if (step.restart == 2) stop = true;
  };
  const CrossValidation some = cross_validate(drawn(30), options, in(3), hooks);
  EXPECT_TRUE(some.interrupted);
  EXPECT_EQ(some.folds.size(), 2U);
}

TEST(CrossValidate, RefusesWhatMakesNoSense) {
  EXPECT_THROW((void)cross_validate(drawn(30), fitting(), in(1)), InputError);
  EXPECT_THROW((void)cross_validate(drawn(30), fitting(), in(31)), InputError);
  FitOptions from_file = fitting();
  from_file.init = "fitted-to-all-rows.medley";
  EXPECT_THROW((void)cross_validate(drawn(30), from_file, in(3)), InputError);
  Dataset bare = drawn(30);
  bare.schema = {};
  EXPECT_THROW((void)cross_validate(bare, fitting(), in(3)), InputError);
}

}  // namespace
}  // namespace medley
