// SPDX-License-Identifier: Apache-2.0
// Leaks planted in the test rows of a fold: whatever they say, the training side and the model
// fitted to it are the same to the bit.
#include "evaluate/fold_data.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "core/rng.hpp"
#include "data/same_data.hpp"
#include "medley/error.hpp"
#include "medley/evaluate.hpp"
#include "medley/fit.hpp"
#include "model/model.hpp"
#include "support/files.hpp"

namespace medley::evaluation {
namespace {

constexpr std::size_t kRows = 60, kFold = 1;

using FoldOf = std::vector<std::size_t>;

FoldOf folds() {
  return fold_of_rows(kRows, 4, 9);
}

// Answers, a number, a count, text, a set and a class of two kinds of people.
std::string honest_line(std::size_t row) {
  core::Rng rng(5, 3, row);
  const bool first = rng.uniform() < 0.5;
  const auto pick = [&](const char* a, const char* b) {
    return std::string((rng.uniform() < 0.8) == first ? a : b);
  };
  std::string line = pick("p", "q") + "," + pick("u", rng.uniform() < 0.5 ? "v" : "w");
  line += "," + std::to_string(rng.normal() + (first ? 2 : 0));
  line += "," + std::to_string(rng.below(first ? 3 : 9));
  line += "," + pick("cat", "cow") + " " + pick("dog", "hen") + " " + pick("cat", "hen");
  line += "," + pick("a", "b") + ";" + pick("c", "d");
  return line + "," + (first ? "one" : "two") + "\n";
}

// New levels, words, options and classes that come before all others, and absurd numbers.
std::string absurd_line(std::size_t row) {
  const std::string n = std::to_string(row % 3);
  return "A" + n + ",0,-1e90,1000000,aardvark" + n + " aardvark aaa cat cat cat,A;" + n +
         ",Aclass\n";
}

ReadOptions reading() {
  ReadOptions options;
  options.family = {{"q1", "categorical"}, {"q2", "categorical"}, {"x", "gaussian"},
                    {"n", "poisson"},      {"t", "text"},         {"s", "set"}};
  options.label = "class";
  options.words = options.words.unselected();
  return options;
}

template <class Absurd>
Dataset people(Absurd&& absurd) {
  std::string text = "q1,q2,x,n,t,s,class\n";
  for (std::size_t row = 0; row < kRows; ++row)
    text += absurd(row) ? absurd_line(row) : honest_line(row);
  return test::read_file("people.csv", text, reading());
}

Dataset honest() {
  return people([](std::size_t) { return false; });
}
Dataset planted() {
  const FoldOf fold_of = folds();
  return people([&](std::size_t row) { return fold_of[row] == kFold; });
}

void expect_same_numbers(std::span<const double> a, std::span<const double> b) {
  EXPECT_TRUE(std::ranges::equal(a, b));
}

void expect_same_model(const Model& a, const Model& b) {
  EXPECT_EQ(to_toml(a.schema()), to_toml(b.schema()));
  EXPECT_EQ(a.prior(), b.prior());
  EXPECT_EQ(a.sizes(), b.sizes());
  EXPECT_EQ(a.summary().bound, b.summary().bound);
  ASSERT_EQ(a.parts().blocks.size(), b.parts().blocks.size());
  for (std::size_t i = 0; i < a.parts().blocks.size(); ++i) {
    const model::ModelBlock &x = a.parts().blocks[i], &y = b.parts().blocks[i];
    SCOPED_TRACE(x.shape.name);
    EXPECT_TRUE(model::same_shape(x.shape, y.shape));
    expect_same_numbers(x.family->parameters(), y.family->parameters());
    expect_same_numbers(x.marginal->parameters(), y.marginal->parameters());
    EXPECT_EQ(x.total, y.total);
  }
}

FitOptions fitting(const std::string& init) {
  FitOptions options;
  options.components = 3;
  options.label.head = LabelHead::none;
  options.init = init;
  options.shrink = 2;
  options.seed = 9;
  options.max_iterations = 40;
  return options;
}

TEST(FoldData, TheTrainingSideKnowsNothingOfTheTestRows) {
  const FoldData a = fold_data(honest(), folds(), kFold, {});
  const FoldData b = fold_data(planted(), folds(), kFold, {});
  ASSERT_EQ(a.train.rows, 45U);
  testing::expect_same_data(a.train, b.train);
  for (const char* init : {"single", "kmeans", "random", "labels"}) {
    SCOPED_TRACE(init);
    expect_same_model(fit(a.train, fitting(init)), fit(b.train, fitting(init)));
  }
  const std::string schema = to_toml(b.train.schema);
  for (const char* absurd : {"A0", "A1", "\"0\"", "aardvark", "aaa", "Aclass"})
    EXPECT_EQ(schema.find(absurd), std::string::npos) << absurd;
  EXPECT_NE(to_toml(planted().schema).find("aardvark"), std::string::npos);
}

// Per planted row: two answers, three words that nobody else uses, two options.
TEST(FoldData, CountsWhatIsUnseen) {
  const FoldData rows = fold_data(planted(), folds(), kFold, {});
  std::size_t unseen = 0;
  for (const Block& block : rows.test.blocks) unseen += block.unseen;
  EXPECT_EQ(unseen, 15U * 7);
  for (const Block& block : rows.train.blocks) EXPECT_EQ(block.unseen, 0U);
}

// A leak in the other direction: other rows of the test fold change nothing for a test row.
TEST(FoldData, ATestRowIsAloneWithTheModel) {
  const FoldOf fold_of = folds();
  const auto first = static_cast<std::size_t>(std::ranges::find(fold_of, kFold) - fold_of.begin());
  const FoldData a = fold_data(honest(), fold_of, kFold, {});
  const FoldData b =
      fold_data(people([&](std::size_t row) { return fold_of[row] == kFold && row != first; }),
                fold_of, kFold, {});
  const Model model = fit(a.train, fitting("single"));
  const Memberships x = transform(model, a.test), y = transform(model, b.test);
  expect_same_numbers(std::span(x.row(0), 3), std::span(y.row(0), 3));
  EXPECT_NE(x.share, y.share);
  EvaluateOptions scoring;
  scoring.estimator = "importance";
  scoring.samples = 50;
  const RowScore s = evaluate(model, a.test, scoring).row[0];
  const RowScore t = evaluate(model, b.test, scoring).row[0];
  EXPECT_EQ(s.log_likelihood, t.log_likelihood);
  EXPECT_EQ(s.baseline, t.baseline);
}

// 20 users rate nine items, on one scale, or on one of each item's own. Every fourth user may be
// garbled: items and levels that nobody else has, in another order.
Dataset ratings(bool garbled_users, bool own_scales) {
  std::string text = "user,item,value\n";
  for (std::size_t user = 0; user < 20; ++user) {
    core::Rng rng(3, 1, user);
    const std::string who = "u" + std::to_string(user) + ",";
    const bool garbled = garbled_users && user % 4 == 0;
    for (std::size_t item = 9; item >= 1; --item) {
      if (garbled) {
        text += who + "0" + std::to_string(10 - item) + ",0\n";
      } else if (rng.uniform() < 0.6) {
        const std::size_t level = 1 + rng.below(5);
        text += who + std::to_string(item) + "," +
                std::to_string(own_scales ? 10 * item + level : level) + "\n";
      }
    }
    if (garbled) text += who + "5," + (own_scales ? "53" : "3") + "\n";
  }
  ReadOptions options;
  options.format = Format::triplets;
  options.family["value"] = "categorical";
  options.pool_levels = !own_scales;  // like a family, part of what is asked for
  return test::read_file("log.csv", text, options);
}

// Items are numbered as the file names them: test rows that name others first change the file's
// order, not the fold's.
TEST(FoldData, ItemsOfTestRowsDoNotMoveOthers) {
  FoldOf fold_of(20);
  for (std::size_t user = 0; user < 20; ++user) fold_of[user] = user % 4;
  for (const bool own_scales : {false, true}) {
    SCOPED_TRACE(own_scales);
    const FoldData a = fold_data(ratings(false, own_scales), fold_of, 0, {}),
                   b = fold_data(ratings(true, own_scales), fold_of, 0, {});
    ASSERT_EQ(b.test.rows, 5U);
    ASSERT_EQ(b.train.schema.sources[0].item_levels.empty(), !own_scales);
    expect_same_model(fit(a.train, fitting("single")), fit(b.train, fitting("single")));
    EXPECT_EQ(b.test.blocks[0].unseen, 5U * 9);
  }
}

// Only training rows count for the words: "hen" is in one of them, "fox" in two.
TEST(FoldData, WordsAreChosenByTheTrainingRows) {
  ReadOptions options;
  options.family = {{"t", "text"}};
  options.words = options.words.unselected();
  const Dataset data = test::read_file(
      "t.csv", "t,q\ncat fox,a\nhen cat,b\nfox cat,a\nhen hen,b\nhen fox,a\n", options);
  VocabularyOptions words;
  words.min_count = 2;
  const FoldData rows = fold_data(data, FoldOf{0, 0, 0, 1, 1}, 1, words);
  EXPECT_EQ(rows.train.blocks[1].features[0].levels, (std::vector<std::string>{"cat", "fox"}));
  EXPECT_EQ(rows.test.blocks[1].unseen, 3U);
}

TEST(FoldData, SamplingWeightsHaveMeanOneOnEachSide) {
  const std::string text = "q,w\na,1\nb,3\na,2\nb,1000\na,3000\n";
  ReadOptions options;
  options.weight = "w";
  const FoldOf fold_of = {0, 0, 0, 1, 1};
  const FoldData rows = fold_data(test::read_file("w.csv", text, options), fold_of, 1, {});
  const std::vector<double> expected = {0.5, 1.5, 1.0};
  for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(rows.train.row_weight[i], expected[i], 1e-14);
  EXPECT_NEAR(rows.test.row_weight[1], 1.5, 1e-14);
  options.frequency_weights = true;
  const FoldData counts = fold_data(test::read_file("w.csv", text, options), fold_of, 1, {});
  EXPECT_EQ(counts.train.row_weight, (std::vector<double>{1, 3, 2}));
  EXPECT_EQ(counts.test.row_weight, (std::vector<double>{1000, 3000}));
}

TEST(FoldData, RefusesTrainingRowsThatAreAllAlike) {
  const Dataset data = test::read_file("c.csv", "q\na\na\na\nb\n", {});
  EXPECT_THROW((void)fold_data(data, FoldOf{0, 0, 0, 1}, 1, {}), InputError);
}

}  // namespace
}  // namespace medley::evaluation
